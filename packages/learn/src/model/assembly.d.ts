// The types of AssemblyScript in sources that are TypeScript as well: numbers of bytes or of values.
declare type usize = number;
declare type isize = number;

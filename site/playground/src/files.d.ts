// Files that the build makes modules of.
declare module "*.ptx" {
  const text: string;
  export default text;
}
declare module "*.css";

// Straight-line code on columns of data.
export {};

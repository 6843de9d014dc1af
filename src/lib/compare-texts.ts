/** The order of two texts by their characters, as times of the interface and rows of the database are sorted. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** An id as it stands on the wire; null where there is none (`docs/decisions.md` 1.3). */
export const idText = (id: number | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id)

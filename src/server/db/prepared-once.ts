/**
 * A parameter in a comparison, for statements that are used often: for a plain `?`, SQLite plans a query of several
 * tables again for each new value, which takes longer than finding a row. So does a parameter as `LIMIT`.
 */
export const anyValue = '+?'

/**
 * Creates a repository once per connection, so that all callers share its prepared statements. `Source` is a
 * connection, or a database for repositories that read and write.
 */
export function preparedOnce<Source extends object, Repository>(
  prepare: (source: Source) => Repository,
): (source: Source) => Repository {
  const prepared = new WeakMap<Source, Repository>()
  return (source) => {
    const known = prepared.get(source)
    if (known !== undefined) return known
    const repository = prepare(source)
    prepared.set(source, repository)
    return repository
  }
}

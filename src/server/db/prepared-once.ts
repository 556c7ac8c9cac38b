/**
 * A parameter to compare with, for statements that are used often: after a plain `?` gets a new value, SQLite may plan
 * the statement again, which takes longer than finding a row. The same is true of `LIMIT ?`.
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

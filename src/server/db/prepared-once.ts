/**
 * Makes a repository once for each connection, so that everything that asks for it shares its prepared statements.
 * `Source` is a connection, or a database for what both reads and writes.
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

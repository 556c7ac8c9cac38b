import type { Plugin } from 'vite'

const contract = /\/src\/shared\/contracts\/[^/]+\.ts$/
/** Follows the path of a contract with its schemas. */
const complete = '?complete'

/**
 * The desk calls endpoints, but leaves the validation to the server. So it gets methods, paths, access and constants of the contracts as
 * data, computed here. Only a script that uses a schema loads the complete contract, and zod with it.
 */
export function contractsWithoutSchemas(): Plugin {
  return {
    name: 'contracts-without-schemas',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id.endsWith(complete)) {
        return {
          code: await this.fs.readFile(id.slice(0, -complete.length), { encoding: 'utf8' }),
          moduleSideEffects: false,
        }
      }
      if (!contract.test(id)) return null
      const { href } = new URL(`file:///${id.replace(/^\//, '')}`)
      const exported = (await import(href)) as Record<string, unknown>
      const lines = Object.entries(exported).map(([name, value]) => {
        const data = dataOf(value)
        return data === undefined
          ? `export { ${name} } from ${JSON.stringify(id + complete)}`
          : `export const ${name} = ${JSON.stringify(data)}`
      })
      return { code: lines.join('\n'), moduleSideEffects: false }
    },
  }
}

/** The value as JSON, with what a client needs of each route; undefined if it contains anything else, such as a schema. */
function dataOf(value: unknown): unknown {
  if (Array.isArray(value)) return entriesOf(value) && value
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value
  if ('method' in value && 'path' in value && 'access' in value) {
    return { method: value.method, path: value.path, access: value.access }
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const entries = entriesOf(value)
  return entries && Object.fromEntries(entries)
}

function entriesOf(value: object): [string, unknown][] | undefined {
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, dataOf(member)])
  return entries.some(([, member]) => member === undefined) ? undefined : entries
}

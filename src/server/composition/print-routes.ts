// Prints all routes: `npm run routes`, or `npm run -s routes -- releases` for the rows that contain that text.
import { routeGroups } from './route-table.ts'

const rows = routeGroups.flatMap(([group, { listeners, credential, routes }]) =>
  Object.entries(routes).map(([operation, { method, path, access, scope }]) => [
    method,
    path,
    access === 'public' ? access : `${access} (${scope === undefined ? '' : `${scope} `}${credential})`,
    listeners.join(', '),
    `${group}.${operation}`,
  ]),
)
const table = [['METHOD', 'PATH', 'ACCESS', 'LISTENER', 'HANDLER'], ...rows]
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
const filter = process.argv[2]?.toLowerCase() ?? ''

const lines = table
  .map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  .filter((line, index) => index === 0 || line.toLowerCase().includes(filter))
process.stdout.write(`${lines.join('\n')}\n`)

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { roles, rolesWith } from '../../shared/contracts/people.ts'
import { routeGroups } from './route-table.ts'

const page = join(import.meta.dirname, '../../../docs/ROLES.md')
const accesses = ['person', 'editor', 'reviewer', 'administrator'] as const

/** What a role may do: the routes with each access, and which roles have it. */
function describeRoles(): string {
  const routes = routeGroups.flatMap(([, group]) => Object.values(group.routes))
  const sections = accesses.map((access) => {
    const allowed: readonly string[] = rolesWith[access]
    const rows = routes
      .filter((route) => route.access === access)
      .map(({ method, path, summary }) => {
        const marks = roles.map((role) => (allowed.includes(role) ? 'yes' : '')).join(' | ')
        return `| ${summary.replaceAll('|', '\\|')} | \`${method} ${path}\` | ${marks} |\n`
      })
    return rows.join('')
  })
  const head = `| Endpoint | Method and path | ${roles.join(' | ')} |\n| --- | --- |${' --- |'.repeat(roles.length)}\n`
  return `# What a role may do

| Role | May |
| --- | --- |
| developer | publish releases |
| editor | also manage the blog, the showcase and the media library |
| reviewer | also review, decide and revoke releases of everyone |
| administrator | do everything, including people, settings, services, agents and the audit log; \`admin\` on the command line |

The endpoints that need a token or a desk session, and which roles may call them. A token can be limited further by its scope, see
[API.md](API.md). In the desk, a person sees the areas of their role.

${head}${sections.join('')}`
}

it('docs/ROLES.md says what each role may do, as the contracts do (`npx vitest run src/server/composition -u` updates it)', async () => {
  await expect(describeRoles()).toMatchFileSnapshot(page)
})

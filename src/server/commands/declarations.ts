import { declare } from './command.ts'

export const startCommand = declare({
  name: 'start',
  summary: 'Start the services and open the desk, in a window or a browser',
  usage: ['[--patience SECONDS]'],
  about: `
Does what serve does and opens the desk: in a window of Electron where its program is there or can be fetched,
else in the browser. Why it is the browser is said in one line. The services and the printed link, which signs
in once and within five minutes, wait for none of this. Closing the window leaves the services running.`,
  options: {
    patience: {
      type: 'string',
      value: 'SECONDS',
      help: 'without a byte of Electron before it is given up',
      default: '20',
    },
  },
  notes: `
Environment
  SKILLDOCK_NO_ELECTRON=1       neither looks for Electron nor fetches it
  ELECTRON_OVERRIDE_DIST_PATH   a folder that holds Electron's program`,
})

export const serveCommand = declare({
  name: 'serve',
  summary: 'Start the registry and the dashboard services in the foreground',
  usage: [''],
  about: `
Starts the registry and the dashboard services, says where they are, and runs until it gets SIGTERM or
SIGINT (Ctrl+C). It then finishes the requests in flight, for at most 6 s, and ends with status 0. Logs
are JSON lines on standard error.`,
  options: {},
  notes: `
Example
  SKILLDOCK_DATA=/srv/skilldock skilldock serve`,
})

const role = { type: 'string', value: 'admin|developer' } as const

export const tokenCommand = declare({
  name: 'token',
  summary: 'Print a session token for a person, who is made if need be',
  usage: ['--subject NAME [options]'],
  about: `
Prints one session token and nothing else. A person who is not there yet is made. Works whether or not
a server runs on the data folder. The token is shown this once and kept nowhere.`,
  options: {
    subject: {
      type: 'string',
      value: 'NAME',
      help: 'who it is for (1 to 200 visible characters without spaces)',
    },
    name: { type: 'string', value: 'TEXT', help: 'sets the name that others see as publisher' },
    role: { ...role, help: 'sets the role (a new person is a developer)' },
    ttl: { type: 'string', value: 'LIFE', help: 'how long it is good: 90s, 15m, 1h, 30d (default: 30d)' },
    label: {
      type: 'string',
      value: 'TEXT',
      help: 'what the list of tokens calls it (default: command line)',
    },
    scope: {
      type: 'string',
      value: 'publish|admin',
      help: 'narrows it: publish reaches publishing and the own releases only',
    },
  },
  notes: `
Examples
  TOKEN=$(skilldock token --subject alice --name "Alice")
  skilldock token --subject rita --role admin --ttl 8h`,
})

const peopleUsage = [
  'list [--json]',
  'add NAME [--name TEXT] [--role admin|developer]',
  'role NAME admin|developer',
  'remove NAME',
  'tokens NAME [--json]',
  'revoke TOKEN-ID',
]
const peopleActions = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  peopleUsage.map((form) => form.replace(/ .*/, '')),
)

export const peopleCommand = declare({
  name: 'people',
  summary: 'Add, list and remove people, change roles, see and revoke tokens',
  usage: peopleUsage,
  about: `
Removing a person ends all their tokens at once; their releases stay. Revoking a token ends that one; its
id stands in the list of tokens. The last administrator can neither be removed nor made a developer.`,
  options: {
    name: { type: 'string', value: 'TEXT', help: 'add: the name that others see as publisher' },
    role: { ...role, help: 'add: the role (default: developer)' },
    json: { type: 'boolean', help: 'list, tokens: print JSON' },
  },
  maxWords: 3,
  missingWord: `Say what to do: ${peopleActions}.`,
})

export const deskCommand = declare({
  name: 'desk',
  summary: 'Print a link that opens the desk in a browser, signed in',
  usage: ['[--subject NAME]'],
  about: `
Prints one link to the desk of the running server and nothing else. It signs in the named person, or the
only administrator where none is named; where nobody administers the registry yet it opens the page that
makes the first administrator. The link works once and within five minutes; the session that it starts lasts
30 days of use and can be ended in People. Ends with status 3 where no server runs on the data folder.`,
  options: {
    subject: { type: 'string', value: 'NAME', help: 'who signs in (default: the only administrator)' },
  },
  notes: `
Example
  xdg-open "$(skilldock desk --subject rita)"`,
})

export const demoCommand = declare({
  name: 'demo',
  summary: 'Fill an empty data folder with a registry to try things on',
  usage: ['', '--agents DIR [--live]'],
  about: `
Fills the data folder with twelve skills that really run, in several versions and in every state, of two
developers and one administrator, with posts of a blog and projects of a showcase in every state. The folder
must be empty or not there yet; anything else is refused and left alone.

With --agents it makes an agent project in DIR instead, as a runtime of agents would have it after three
weeks: 42 agents with supervisors, budgets, an audit log and some trouble. With --live the agents work until
Ctrl+C, also those of a project that it has made before. It never writes to a project that it has not made.`,
  options: {
    agents: { type: 'string', value: 'DIR', help: 'make an agent project in DIR instead' },
    live: { type: 'boolean', help: 'keep its agents working' },
  },
  notes: `
Examples
  SKILLDOCK_DATA=/tmp/skilldock-demo skilldock demo
  skilldock demo --agents /tmp/harvest-team --live
  SKILLDOCK_WORKSPACE=/tmp/harvest-team skilldock serve`,
})

export const backupCommand = declare({
  name: 'backup',
  summary: 'Write one file that holds everything, also while a server runs',
  usage: ['FILE'],
  about: `
Writes the database, every package, the signing key and settings.json into one new file, as they are at one
moment; a server may run and take submissions meanwhile. FILE must not be there yet, and appears only when
it is complete. It is a plain tar archive with the layout of a data folder, and its manifest.json and the
names of the packages hold the SHA-256 of everything in it. Next to it, room is needed for a second copy of
the database.

Keep it as safe as the data folder: whoever has it can sign tokens. Certificates are not in it.`,
  options: {},
  notes: `
Examples
  skilldock backup /srv/backups/skilldock-$(date +%F).tar
  skilldock verify /srv/backups/skilldock-2026-03-01.tar`,
  maxWords: 1,
  missingWord: 'Say which file the backup is to be: backup FILE',
})

export const restoreCommand = declare({
  name: 'restore',
  summary: 'Bring a backup back into an empty data folder',
  usage: ['FILE'],
  about: `
Brings a backup back into the data folder, which must be empty or not there yet. Every digest and every row is
checked before anything takes its place; where one bit is not as it was, nothing is restored and the message
names the part. People sign in with the tokens they had.`,
  options: {},
  notes: `
Example
  SKILLDOCK_DATA=/srv/skilldock-new skilldock restore /srv/backups/skilldock-2026-03-01.tar`,
  maxWords: 1,
  missingWord: 'Say which backup is to be restored: restore FILE',
})

export const verifyCommand = declare({
  name: 'verify',
  summary: 'Check a data folder or a backup, and repair a data folder',
  usage: ['[--repair] [FILE]'],
  about: `
Checks the data folder, also while a server runs: the database's integrity and schema, every stored value,
everything that derives from something else (search index, stored answers, counts, history), every decision
against the status of its release, and every file against its digest. With FILE it checks a backup in the same
way, and every byte of it. Changes nothing. Lists files that no release uses, which are no error. Names each
problem and exits with status 1 if there is one.

With --repair it rebuilds what can be derived again, after a backup into the folder "backups" inside the data
folder, then verifies again. No server may be running. Lost manifests, texts and decisions have to come from a
backup.`,
  options: { repair: { type: 'boolean', help: 'repair what can be derived again, after a backup' } },
  maxWords: 1,
})

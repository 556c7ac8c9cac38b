import { shells } from '../../shared/command-line/completion.ts'
import { declare } from './command.ts'

export const startCommand = declare({
  name: 'start',
  summary: 'Start the services and open the desk, in a window or a browser',
  usage: ['[--patience SECONDS]'],
  about: `
Starts the services like serve, and opens the desk: in an Electron window if Electron is installed or can be
downloaded, otherwise in the browser, with one line that says why. The services don't wait for the window. The
printed sign-in link works once, within five minutes. Closing the window leaves the services running.`,
  options: {
    patience: {
      type: 'string',
      value: 'SECONDS',
      help: 'give up on the Electron download after this long without data',
      default: '20',
    },
  },
  notes: `
Environment
  SKILLDOCK_NO_ELECTRON=1       neither look for Electron nor download it
  ELECTRON_OVERRIDE_DIST_PATH   folder that contains the Electron executable`,
})

export const serveCommand = declare({
  name: 'serve',
  summary: 'Start the registry and the local services in the foreground',
  usage: ['[--workers N]', '--follow URL'],
  about: `
Starts the registry and the local services (the desk and the dashboard's API), prints their addresses, and
runs until SIGTERM or SIGINT (Ctrl+C). It then gives requests in flight at most 6 s to finish and exits with
0. Logs are JSON lines on standard error.

With 2 workers or more, that many processes answer the public reads of the registry: pages, documents,
releases, packages and images. This process answers everything else, and only it writes. Each worker gets an
equal share of the concurrent downloads. A worker that exits is replaced.

With --follow, answers the public reads of a registry that another machine writes with
SKILLDOCK_DURABILITY=replicated, from a copy of its database, and passes all other requests to that machine.
The data folder has only this copy and files used last. While the bucket does not answer, it answers 503.`,
  options: {
    workers: {
      type: 'string',
      value: 'N',
      help: 'processes for public reads, or auto: one per core (default: SKILLDOCK_WORKERS, or 1)',
      completes: ['auto'],
    },
    follow: { type: 'string', value: 'URL', help: 'address of the server that writes the registry' },
  },
  notes: `
Examples
  SKILLDOCK_DATA=/srv/skilldock skilldock serve
  SKILLDOCK_DATA=/srv/skilldock skilldock serve --workers auto
  SKILLDOCK_STORAGE=s3://skills/registry skilldock serve --follow http://10.0.0.2:4280`,
})

/** The words for roles on the command line. */
export const roleWords = ['admin', 'reviewer', 'editor', 'developer'] as const

const tokenScopes = ['publish', 'admin'] as const

const role = { type: 'string', value: 'ROLE', completes: roleWords } as const

export const tokenCommand = declare({
  name: 'token',
  printsFacts: true,
  summary: 'Print a token for a person, creating the person if needed',
  usage: ['--subject NAME [options]'],
  about: `
Prints one token and nothing else; with --json, also its id and when it expires. Creates the person if they
don't exist. Works whether or not a server is running on the data folder. The token is shown only once and is
not stored.`,
  options: {
    subject: {
      type: 'string',
      value: 'NAME',
      help: 'who the token is for (1 to 200 visible ASCII characters, no spaces)',
    },
    name: { type: 'string', value: 'TEXT', help: 'set the display name, shown as the publisher' },
    role: { ...role, help: 'set the role: admin, reviewer, editor or developer (default for new people)' },
    ttl: { type: 'string', value: 'TIME', help: 'lifetime, such as 90s, 15m, 1h or 30d (default: 30d)' },
    label: {
      type: 'string',
      value: 'TEXT',
      help: 'name in the list of tokens (default: "command line")',
    },
    scope: {
      type: 'string',
      value: 'SCOPE',
      completes: tokenScopes,
      help: 'publish: only publishing and own releases; admin: full access, as without it',
    },
  },
  notes: `
Examples
  TOKEN=$(skilldock token --subject alice --name "Alice")
  skilldock token --subject rita --role admin --ttl 8h`,
})

const peopleUsage = [
  'list',
  'add NAME [--name TEXT] [--role ROLE]',
  `role NAME ${roleWords.join('|')}`,
  'remove NAME',
  'tokens NAME',
  'revoke TOKEN-ID',
]
const peopleActions = peopleUsage.map((form) => form.replace(/ .*/, ''))

/** For error messages. */
export const peopleActionList = `${peopleActions.slice(0, -1).join(', ')} or ${peopleActions.at(-1)}`

export const peopleCommand = declare({
  name: 'people',
  printsFacts: true,
  summary: 'Add, list and remove people, change roles, list and revoke tokens',
  usage: peopleUsage,
  about: `
Removing a person revokes all their tokens immediately; their releases stay. To revoke a single token, use
its id from "skilldock people tokens NAME". The last administrator can't be removed or given another role.

Developers publish. Reviewers also review releases, editors manage the blog, the showcase and the images, and
administrators may do everything.`,
  options: {
    name: { type: 'string', value: 'TEXT', help: 'add: the display name, shown as the publisher' },
    role: { ...role, help: 'add: the role (default: developer)' },
  },
  arguments: [peopleActions, [], roleWords],
  maxPositionals: 3,
  // Not by Intl, which takes longer to load than all commands.
  missingPositional: `Missing action: ${peopleActionList}.`,
})

export const deskCommand = declare({
  name: 'desk',
  printsFacts: true,
  summary: 'Print a link that opens the desk in a browser, signed in',
  usage: ['[--subject NAME] [--remote]'],
  about: `
Prints one link to the desk of the running server and nothing else. The link signs in the named person or,
without --subject, the only administrator; if there is no administrator yet, it opens the page that creates
the first one. It works once, within five minutes; the session it starts expires after 30 days without use
and can be ended in People. Exits with 3 if no server is running on the data folder.

With --remote, the link opens the desk at the registry's public address, for a person at another computer.
That session expires after 12 hours without use, or after 7 days.`,
  options: {
    subject: { type: 'string', value: 'NAME', help: 'who to sign in (default: the only administrator)' },
    remote: { type: 'boolean', help: 'open the desk over the network, if the setting allows it' },
  },
  notes: `
Example
  xdg-open "$(skilldock desk --subject rita)"`,
})

export const demoCommand = declare({
  name: 'demo',
  printsFacts: true,
  summary: 'Fill an empty data folder with a demo registry',
  usage: ['', '--agents DIR [--live]'],
  about: `
Fills the data folder with one administrator, two developers and their twelve working skills, in several
versions and every status, plus blog posts and showcase projects in every status. The folder must be empty or
not exist; any other folder is refused and left unchanged.

With --agents it creates an agent project in DIR instead, as an agent runtime would leave it after three
weeks: 42 agents with supervisors, budgets, an audit and some problems. With --live the agents keep
working until Ctrl+C, even in a project created earlier. It never writes to a project it didn't create.`,
  options: {
    agents: {
      type: 'string',
      value: 'DIR',
      help: 'create an agent project in DIR instead',
      completes: 'folder',
    },
    live: { type: 'boolean', help: 'keep the agents working' },
  },
  notes: `
Examples
  SKILLDOCK_DATA=/tmp/skilldock-demo skilldock demo
  skilldock demo --agents /tmp/harvest-team --live
  SKILLDOCK_WORKSPACE=/tmp/harvest-team skilldock serve`,
})

export const backupCommand = declare({
  name: 'backup',
  printsFacts: true,
  summary: 'Write a complete backup to one file, even while a server is running',
  usage: ['FILE'],
  about: `
Writes a consistent snapshot of the database, every package and image, the signing key and settings.json to
one new file; a server may keep running and accept submissions. FILE must not exist, and appears only once it
is complete. It is a plain tar archive with the layout of a data folder; its manifest.json and the names of
the packages and images hold the SHA-256 of everything in it. Its folder needs space for a second copy of the
database.

Keep it as safe as the data folder: anyone who has it can sign tokens. Certificates are not included.`,
  options: {},
  notes: `
Examples
  skilldock backup /srv/backups/skilldock-$(date +%F).tar
  skilldock verify /srv/backups/skilldock-2026-03-01.tar`,
  arguments: ['file'],
  maxPositionals: 1,
  missingPositional: 'Missing file. Usage: skilldock backup FILE',
})

export const restoreCommand = declare({
  name: 'restore',
  printsFacts: true,
  summary: 'Restore a backup, or a database in a bucket, into an empty data folder',
  usage: ['FILE', 's3://BUCKET/PREFIX'],
  about: `
Restores a backup into the data folder, which must be empty or not exist. Every digest and every row is
checked first; if a single bit differs, nothing is restored and the message names the damaged part. Existing
tokens stay valid.

With a bucket, restores the last replicated database of the registry there with its keys and settings; its
packages and images stay in the bucket. The machine that writes keeps writing: to replace it, use
"skilldock promote".`,
  options: {},
  notes: `
Example
  SKILLDOCK_DATA=/srv/skilldock-new skilldock restore /srv/backups/skilldock-2026-03-01.tar`,
  arguments: ['file'],
  maxPositionals: 1,
  missingPositional: 'Missing file. Usage: skilldock restore FILE',
})

export const promoteCommand = declare({
  name: 'promote',
  printsFacts: true,
  summary: 'Take over a registry whose database is replicated to a bucket',
  usage: [''],
  about: `
Makes this machine the one that writes the registry in the bucket of SKILLDOCK_STORAGE, and restores
everything that the former one has acknowledged into the data folder, which must be empty or not exist. If
the former machine comes back, it refuses requests and says why. Whatever it has stored but never
acknowledged is lost. Start the server afterwards with SKILLDOCK_DURABILITY=replicated.`,
  options: {},
  notes: `
Environment
  SKILLDOCK_STORAGE       the bucket of the registry; see "skilldock storage --help"
  SKILLDOCK_LITESTREAM    the program that replicates the database (default: litestream)

Example
  SKILLDOCK_DATA=/srv/skilldock skilldock promote`,
})

export const verifyCommand = declare({
  name: 'verify',
  printsFacts: true,
  summary: 'Check a data folder or a backup, and repair a data folder',
  usage: ['[--repair] [FILE]'],
  about: `
Checks the data folder, even while a server is running: the database's integrity and schema, every stored
value, all derived data (search index, stored responses, counts, history), every decision against the
status of its release, and every file against its digest. With FILE it checks every byte of a backup in the
same way. Changes nothing. Lists unused files, which are not an error. Prints each problem and exits with
1 if there are any.

With --repair, if derived data needs rebuilding, it backs up to the folder "backups" in the data folder and
rebuilds that data. It then verifies again. The server must be stopped. Lost manifests, texts and decisions
can only be restored from a backup.`,
  options: { repair: { type: 'boolean', help: 'rebuild derived data, after a backup' } },
  arguments: ['file'],
  maxPositionals: 1,
})

export const mirrorCommand = declare({
  name: 'mirror',
  printsFacts: true,
  summary: 'Fill a read-only mirror of another registry, again and again',
  usage: ['URL [--once] [options]'],
  about: `
Copies the approved releases of the registry at URL into the data folder, with packages, signed approvals,
deprecations and revocations, and repeats that until SIGTERM or SIGINT (Ctrl+C). Run it beside a server on
the same folder, which serves what is there. That server then refuses all other changes of releases and
content, and says which registry it mirrors and how old its copy is. The folder must have no releases of its
own.

The keys of the registry's transparency log and of its approvals are pinned at the first run. A log that
lost or rewrote entries is refused, and so is each release whose digest or signature is wrong; what is there
already stays. Revocations count as soon as they are read. An interrupted run continues with the next one.

With --once, runs one time, for timers. Exits with 1 if anything could not be copied, and with 4 if another
process fills the folder.`,
  options: {
    once: { type: 'boolean', help: 'run one time' },
    every: { type: 'string', value: 'TIME', help: 'time between two runs, such as 5m or 1h', default: '15m' },
    timeout: {
      type: 'string',
      value: 'SECONDS',
      help: 'give up on a request after this long without data',
      default: '30',
    },
    'log-key': {
      type: 'string',
      value: 'KEY',
      help: "the log's key, instead of the one at the first run; replaces a pinned one",
    },
    'attestation-key': {
      type: 'string',
      value: 'ID',
      help: 'the id of the key that must sign approvals; replaces a pinned one',
    },
  },
  notes: `
Examples
  SKILLDOCK_DATA=/srv/mirror skilldock mirror https://skills.example.com
  SKILLDOCK_DATA=/srv/mirror skilldock serve
  skilldock mirror https://skills.example.com --once --json`,
  maxPositionals: 1,
  missingPositional: 'Missing address. Usage: skilldock mirror URL',
})

export const rebuildCommand = declare({
  name: 'rebuild',
  printsFacts: true,
  summary: 'Recreate a lost or damaged database from the records of releases',
  usage: [''],
  about: `
Only for a registry whose database is lost or damaged and that has no recent backup. Beside each package is a
record with the manifest, the publisher, the time and all decisions, signed by the server. From these, the
command creates a new database with every release whose record and package are intact, in its last status. It
lists what could not be rebuilt, such as tokens, administrators and blog posts. Nothing is deleted: whatever
is replaced or no longer used is moved to a folder "before-rebuild-..." in the data folder.

The transparency log starts again with a new key, so "skill audit --log" reports that it has changed. The
server must be stopped.`,
  options: {},
})

export const storageCommand = declare({
  name: 'storage',
  printsFacts: true,
  summary: 'Move packages and images to a bucket, or back',
  usage: ['migrate s3://BUCKET/PREFIX', 'migrate local'],
  about: `
Copies every package and image to a bucket of an S3-compatible object store, or back to the data folder, and
makes that the place where the registry keeps them. Each file is compared with its digest. What is already
there is not copied again, so an interrupted command can be repeated. Nothing is removed from where the files
were. The server must be stopped; start it afterwards with SKILLDOCK_STORAGE set to the same bucket.

The database, the keys and the settings stay in the data folder, with copies of the files used last (at most
2 GiB of packages and 2 GiB of images).`,
  options: {},
  notes: `
Environment
  SKILLDOCK_STORAGE       where the registry keeps packages and images: s3://BUCKET/PREFIX
  SKILLDOCK_S3_ENDPOINT   address of the object store (default: Amazon S3 in the region)
  SKILLDOCK_S3_REGION     region of the bucket (default: us-east-1)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
                          the credentials: they need to list, read, write and delete objects

Example
  skilldock storage migrate s3://skills/registry`,
  arguments: [['migrate'], ['local']],
  maxPositionals: 2,
  missingPositional: 'Missing action: migrate.',
})

export const doctorCommand = declare({
  name: 'doctor',
  printsFacts: true,
  summary: 'Say what is wrong with a data folder and its server, and what to do',
  usage: ['[--repair]'],
  about: `
Checks in a few seconds, even while a server is running: whether the folder is writable and only its owner's,
disk space, settings, ports, the certificate and its end, signing key, the database with its write-ahead log
and unused space, whether the clock went back, missing files, the age of the last backup, what the running
server says about itself, whether the public address leads to it and its proxy is trusted, and the agent
project. Changes nothing. Prints one line per check with what to do next, and exits with 1 if anything is
broken; warnings do not count. Run it with the environment of the server. "skilldock verify" also checks every
byte.

With --repair it first rewrites the database without its unused space. The copy is checked before it replaces
the database; if the command is killed, the old or the new one is there. The server must be stopped, and the
disk needs space for a second copy of the database.`,
  options: {
    repair: { type: 'boolean', help: 'rewrite the database without its unused space' },
  },
})

export const completionCommand = declare({
  name: 'completion',
  summary: 'Print a script with which a shell completes commands, options and files',
  usage: ['bash|zsh|fish'],
  about: `
Prints a script for bash (4 or later), zsh or fish. It completes commands, options, their values and files.`,
  options: {},
  notes: `
Examples
  echo 'source <(skilldock completion bash)' >> ~/.bashrc
  echo 'source <(skilldock completion zsh)' >> ~/.zshrc         after the line with compinit
  skilldock completion fish > ~/.config/fish/completions/skilldock.fish`,
  arguments: [shells],
  maxPositionals: 1,
  missingPositional: `Missing shell: ${shells.join(', ')}.`,
})

export const manCommand = declare({
  name: 'man',
  summary: 'Print the manual page skilldock(1)',
  usage: [''],
  about: `
Prints the manual page in the format of man, for packages and for reading.`,
  options: {},
  notes: `
Examples
  skilldock man | man -l -
  skilldock man > /usr/local/share/man/man1/skilldock.1`,
})

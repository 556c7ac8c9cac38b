/** What the overview says of each command; every one needs a page below. */
const summaries = {
  start: 'Start the services and open the desk, in a window or a browser',
  serve: 'Start the registry and the dashboard services in the foreground',
  token: 'Print a session token for a person, who is made if need be',
  people: 'Add, list and remove people, change roles, see and revoke tokens',
  desk: 'Print a link that opens the desk in a browser, signed in',
  demo: 'Fill an empty data folder with a registry to try things on',
  backup: 'Write one file that holds everything, also while a server runs',
  restore: 'Bring a backup back into an empty data folder',
  verify: 'Check a data folder or a backup, and repair a data folder',
  help: 'This page; "skilldock help COMMAND" tells all about one command',
}

export type CommandName = Exclude<keyof typeof summaries, 'help'>

const commandList = Object.entries(summaries)
  .map(([name, summary]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')

const overview = `Skilldock: a registry of free WASI command modules with manual review.

Usage: skilldock COMMAND [options]        here: npm run -s skilldock -- COMMAND [options]
       skilldock --version

Commands
${commandList}

Settings come from the environment or from settings.json in the data folder:
  SKILLDOCK_DATA               the data folder (default: ~/.local/share/skilldock)
  SKILLDOCK_HOST               address of the registry (default: 127.0.0.1)
  SKILLDOCK_PORT               port of the registry (default: 4280; 0 takes any free port)
  SKILLDOCK_DASHBOARD_PORT     port of the dashboard, always on 127.0.0.1 (default: 4200)
  SKILLDOCK_WORKSPACE          the agent project that the dashboard shows; it need not be there yet
  SKILLDOCK_PUBLIC_URL         the address that others use, where it is another one
  SKILLDOCK_TLS_CERT, _TLS_KEY PEM files; the registry then speaks HTTPS
  SKILLDOCK_TRUST_PROXY        addresses of proxies whose X-Forwarded headers are believed
  SKILLDOCK_UPDATE_URL         where the app looks for new versions of itself (default: nowhere)
  SKILLDOCK_REVIEW_SELF_APPROVAL
                               whether administrators may approve their own releases: allowed (default) or never;
                               "review.selfApproval" in settings.json
  SKILLDOCK_DAILY_SUBMISSIONS  submissions per developer in 24 hours (default: 10)
  SKILLDOCK_PUBLISH_CONCURRENCY, SKILLDOCK_DOWNLOAD_CONCURRENCY
                               requests of a kind at once (default: 8 and 64)
  SKILLDOCK_READY_FILE         is written when both services accept requests

Exit status
  0  done
  1  refused or failed; the message says why
  2  the command line or a setting is not right
  3  no server is running where one is needed
  4  a port or the data folder is in use by another program
`

const pages: Record<CommandName, string> = {
  start: `Usage: skilldock start [--patience SECONDS]

Does what serve does and opens the desk: in a window of Electron where its program is there or can be fetched,
else in the browser. Why it is the browser is said in one line. The services and the printed link, which signs
in once and within five minutes, wait for none of this. Closing the window leaves the services running.

Options
  --patience SECONDS      without a byte of Electron before it is given up (default: 20)

Environment
  SKILLDOCK_NO_ELECTRON=1       neither looks for Electron nor fetches it
  ELECTRON_OVERRIDE_DIST_PATH   a folder that holds Electron's program
`,
  serve: `Usage: skilldock serve

Starts the registry and the dashboard services, says where they are, and runs until it gets SIGTERM or
SIGINT (Ctrl+C). It then finishes the requests in flight, for at most 6 s, and ends with status 0. Logs
are JSON lines on standard error.

Example
  SKILLDOCK_DATA=/srv/skilldock skilldock serve
`,
  token: `Usage: skilldock token --subject NAME [options]

Prints one session token and nothing else. A person who is not there yet is made. Works whether or not
a server runs on the data folder. The token is shown this once and kept nowhere.

Options
  --subject NAME          who it is for (1 to 200 visible characters without spaces)
  --name TEXT             sets the name that others see as publisher
  --role admin|developer  sets the role (a new person is a developer)
  --ttl LIFE              how long it is good: 90s, 15m, 1h, 30d (default: 30d)
  --label TEXT            what the list of tokens calls it (default: command line)
  --scope publish|admin   narrows it: publish reaches publishing and the own releases only

Examples
  TOKEN=$(skilldock token --subject alice --name "Alice")
  skilldock token --subject rita --role admin --ttl 8h
`,
  desk: `Usage: skilldock desk [--subject NAME]

Prints one link to the desk of the running server and nothing else. It signs in the named person, or the
only administrator where none is named; where nobody administers the registry yet it opens the page that
makes the first administrator. The link works once and within five minutes; the session that it starts lasts
30 days of use and can be ended in People. Ends with status 3 where no server runs on the data folder.

Example
  xdg-open "$(skilldock desk --subject rita)"
`,
  people: `Usage: skilldock people list [--json]
       skilldock people add NAME [--name TEXT] [--role admin|developer]
       skilldock people role NAME admin|developer
       skilldock people remove NAME
       skilldock people tokens NAME [--json]
       skilldock people revoke TOKEN-ID

Removing a person ends all their tokens at once; their releases stay. Revoking a token ends that one; its
id stands in the list of tokens. The last administrator can neither be removed nor made a developer.
`,
  demo: `Usage: skilldock demo
       skilldock demo --agents DIR [--live]

Fills the data folder with twelve skills that really run, in several versions and in every state, of two
developers and one administrator, with posts of a blog and projects of a showcase in every state. The folder
must be empty or not there yet; anything else is refused and left alone.

With --agents it makes an agent project in DIR instead, as a runtime of agents would have it after three
weeks: 42 agents with supervisors, budgets, an audit log and some trouble. With --live the agents work until
Ctrl+C, also those of a project that it has made before. It never writes to a project that it has not made.

Examples
  SKILLDOCK_DATA=/tmp/skilldock-demo skilldock demo
  skilldock demo --agents /tmp/harvest-team --live
  SKILLDOCK_WORKSPACE=/tmp/harvest-team skilldock serve
`,
  backup: `Usage: skilldock backup FILE

Writes the database, every package, the signing key and settings.json into one new file, as they are at one
moment; a server may run and take submissions meanwhile. FILE must not be there yet, and appears only when
it is complete. It is a plain tar archive with the layout of a data folder, and its manifest.json and the
names of the packages hold the SHA-256 of everything in it. Next to it, room is needed for a second copy of
the database.

Keep it as safe as the data folder: whoever has it can sign tokens. Certificates are not in it.

Examples
  skilldock backup /srv/backups/skilldock-$(date +%F).tar
  skilldock verify /srv/backups/skilldock-2026-03-01.tar
`,
  restore: `Usage: skilldock restore FILE

Brings a backup back into the data folder, which must be empty or not there yet. Every digest and every row is
checked before anything takes its place; where one bit is not as it was, nothing is restored and the message
names the part. People sign in with the tokens they had.

Example
  SKILLDOCK_DATA=/srv/skilldock-new skilldock restore /srv/backups/skilldock-2026-03-01.tar
`,
  verify: `Usage: skilldock verify [--repair] [FILE]

Checks the data folder, also while a server runs: the database's integrity and schema, every stored value,
everything that derives from something else (search index, stored answers, counts, history), every decision
against the status of its release, and every file against its digest. With FILE it checks a backup in the same
way, and every byte of it. Changes nothing. Lists files that no release uses, which are no error. Names each
problem and exits with status 1 if there is one.

  --repair   rebuild what can be derived again, after a backup into the folder "backups" inside the data
             folder, then verify again. No server may be running. Lost manifests, texts and decisions have to
             come from a backup.
`,
}

/** The text for `--help`, of one command or of all. */
export const help = (command?: CommandName): string => (command === undefined ? overview : pages[command])

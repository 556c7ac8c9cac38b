// Polls every path of a running server's dashboard and prints the memory of its process every minute:
// node tests/bench/poll-dashboard.ts ADDRESS PID [--minutes 60] [--every-ms 1000]
import { parseArgs } from 'node:util'
import { pollDashboard, residentBytes } from '../support/agents/poll-dashboard.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    'every-ms': { type: 'string', default: '1000' },
  },
})
const [address = 'http://127.0.0.1:4200', pid = ''] = positionals
const everyMs = Number(values['every-ms'])

for (let minute = 0; minute <= Number(values.minutes); minute += 1) {
  const megabytes = (residentBytes(Number(pid)) / 1024 / 1024).toFixed(1)
  process.stdout.write(`${String(minute).padStart(4)} min ${megabytes.padStart(8)} MiB\n`)
  if (minute < Number(values.minutes)) await pollDashboard(address, { forMs: 60_000, everyMs })
}

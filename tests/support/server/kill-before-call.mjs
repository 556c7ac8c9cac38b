// Loaded into a real command with `--import`: kills the process before its nth call of one of the named functions.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const [names = '', nth = '1'] = (process.env['KILL_BEFORE_CALL'] ?? '').split(':')
let left = Number(nth)

for (const holder of [fs, promises]) {
  for (const name of names.split(',').filter((one) => one in holder)) {
    const real = holder[name]
    holder[name] = function (...values) {
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
      return real.apply(this, values)
    }
  }
}
syncBuiltinESMExports()

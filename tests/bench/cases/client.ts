import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnvironment, projectRoot } from '../../support/server/command-line.ts'
import type { Case } from '../compare.ts'
import { atMost, median, show } from '../figures.ts'

const name = 'client/skill run of a small module'
const module = join(projectRoot, 'resources/skills/csv-to-json/csv-to-json.wasm')

/** The elapsed time of a `skill run` beyond that of a Node process that does nothing. */
const running: Case = {
  goals: { [name]: atMost(250, 'ms') },
  measure(bench) {
    const commands = {
      ours: [join(projectRoot, 'out/client/skill'), 'run', '--wasm', module],
      bare: ['--eval', ''],
    }
    const ms = { ours: [] as number[], bare: [] as number[] }
    // The first round fills the file cache.
    for (let round = 0; round <= bench.size.rounds; round += 1) {
      for (const who of ['bare', 'ours'] as const) {
        const startedAt = performance.now()
        const { status, stderr } = spawnSync(process.execPath, commands[who], {
          env: cleanEnvironment(),
          input: 'name,count\necho,1\n',
          encoding: 'utf8',
        })
        if (status !== 0) throw new Error(`skill run failed:\n${stderr}`)
        if (round > 0) ms[who].push(performance.now() - startedAt)
      }
    }
    const values = ms.ours.map((took, round) => took - (ms.bare[round] ?? Number.NaN))
    const note = `${show(median(ms.ours))} ms; Node alone ${show(median(ms.bare))} ms`
    return Promise.resolve({ [name]: { values, note } })
  },
}

export const clientCases: readonly Case[] = [running]

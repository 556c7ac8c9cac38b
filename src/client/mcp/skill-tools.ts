import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { RunLimits } from '../../shared/contracts/evidence.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { runInChild } from '../child/run-in-child.ts'
import type { Context } from '../command.ts'
import { texts as commandTexts } from '../commands/commands.texts.ts'
import { readDescription, readInstalled } from '../installed/installed-skills.ts'
import { lockFileName, readLock } from '../installed/lock-file.ts'
import { listLocked } from '../installed/locked-releases.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { decodeText } from '../installed/run-document.ts'
import { exitCodeOf, explainEnd } from '../installed/run-end.ts'
import { toClientError } from '../to-client-error.ts'
import { createApprovals } from './approvals.ts'
import { texts } from './mcp.texts.ts'
import { createSlots } from './slots.ts'

/** UTF-8 bytes. In JSON, each can take six, and the SDK takes ever longer to receive larger messages over stdio. */
export const maxInputBytes = 1024 * 1024

/** How long a call waits for the first answer of a registry. Some networks drop requests silently. */
const maxWaitMs = 5000
/** How often the lock file is looked at. */
const lockPollMs = 1000
const runsAtOnce = 4
const maxWaitingRuns = 32

const inputSchema = z.strictObject({
  input: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= maxInputBytes)
    .default(''),
})

/** The locked skills of a folder as the tools of an MCP server. */
export function createSkillTools(context: Context, folder: string, limits: RunLimits, checkEveryMs: number) {
  const { program, terminal, signal: ending } = context
  const approvals = createApprovals(context)
  const slots = createSlots(runsAtOnce, maxWaitingRuns)
  const listeners: (() => void)[] = []
  const start = new Date()
  let listed: string | null = null
  let refreshing: Promise<void> | null = null

  const readReleases = async (): Promise<LockedRelease[]> => listLocked(await readLock(folder), [])

  const approvalOf = (release: LockedRelease) =>
    approvals.of(release) ?? { refusal: null, deprecation: null, unaskedSince: start }

  async function describe(releases: readonly LockedRelease[]): Promise<Tool[]> {
    const allowed = releases.filter((release) => approvalOf(release).refusal === null)
    return Promise.all(
      allowed.map(async (release) => ({
        name: release.name,
        description: texts.tool(release, await readDescription(folder, release.name), approvalOf(release)),
        inputSchema: {
          type: 'object',
          properties: { input: { type: 'string', default: '', description: texts.input } },
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true, openWorldHint: false },
      })),
    )
  }

  async function refreshNow(): Promise<void> {
    try {
      const releases = await readReleases()
      await approvals.ask(releases)
      const tools = JSON.stringify(await describe(releases))
      if (listed === null || listed === tools) return
      listed = tools
      for (const listener of listeners) listener()
    } catch (error) {
      if (!ending.aborted) terminal.line(toClientError(error, ending).message)
    }
  }
  const refresh = (): Promise<void> =>
    (refreshing ??= refreshNow().finally(() => {
      refreshing = null
    }))
  /** A refresh that is under way may have read an older lock file. */
  const refreshAgain = async (): Promise<void> => {
    await refreshing
    await refresh()
  }

  async function readApproved(): Promise<LockedRelease[]> {
    const releases = await readReleases()
    if (releases.some((release) => approvals.of(release) === undefined)) {
      await Promise.race([refreshAgain(), wait(maxWaitMs, undefined, { ref: false })])
    }
    return releases
  }

  async function run(release: LockedRelease, input: string, signal: AbortSignal): Promise<CallToolResult> {
    const { name } = release
    const module = await readInstalled(folder, name, release)
    if (typeof module === 'string') return failed(sentences(commandTexts.run[module](name)))
    const ran = await runInChild({ module, stdin: Buffer.from(input), args: [], limits, signal, program })
    return resultOf(name, ran, limits)
  }

  const timer = setInterval(() => void refresh(), checkEveryMs)
  const lockFile = join(folder, lockFileName)
  watchFile(lockFile, { interval: lockPollMs }, () => void refreshAgain())
  void refresh()

  return {
    async list(): Promise<Tool[]> {
      const tools = await describe(await readApproved())
      listed = JSON.stringify(tools)
      return tools
    },
    /** Null if there is no such tool. Rejects if the signal is aborted, which ends the run. */
    async call(name: string, given: unknown, callSignal: AbortSignal): Promise<CallToolResult | null> {
      const release = (await readApproved()).find((one) => one.name === name)
      if (release === undefined) return null
      const { refusal } = approvalOf(release)
      if (refusal !== null) return failed(refusal)
      const parsed = inputSchema.safeParse(given ?? {})
      if (!parsed.success) return failed(texts.wrongInput(maxInputBytes))
      const signal = AbortSignal.any([ending, callSignal])
      try {
        const ran = await slots.run(signal, () => run(release, parsed.data.input, signal))
        return ran ?? failed(texts.busy(runsAtOnce + maxWaitingRuns))
      } catch (error) {
        signal.throwIfAborted()
        return failed(toClientError(error, signal).message)
      }
    },
    /** Calls this whenever `list` would return something else than the last time. */
    onChange: (listener: () => void) => void listeners.push(listener),
    close(): void {
      clearInterval(timer)
      unwatchFile(lockFile)
    },
  }
}

export type SkillTools = ReturnType<typeof createSkillTools>

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

const sentences = ({ sentence, next }: { sentence: string; next: string | null }): string =>
  next === null ? sentence : `${sentence} ${next}`

/** The result of a run, as the rulings have it ("MCP, client"). */
function resultOf(name: string, ran: SandboxRun, limits: RunLimits): CallToolResult {
  if (ran.end === 'exited' && ran.exitCode === 0) {
    const text = decodeText(ran.stdout)
    return text === null ? failed(texts.notText(name)) : { content: [{ type: 'text', text }] }
  }
  const stderr = new TextDecoder().decode(ran.stderr)
  return failed(stderr === '' ? nameOfEnd(name, ran, limits) : stderr)
}

function nameOfEnd(name: string, ran: SandboxRun, limits: RunLimits): string {
  if (ran.end.endsWith('-limit')) return ran.end
  const end = explainEnd(name, ran, limits)
  const code = texts.exitCode(exitCodeOf(ran))
  return end === null ? code : `${code}: ${sentences(end)}`
}

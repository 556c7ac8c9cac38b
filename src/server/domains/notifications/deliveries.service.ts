import { randomBytes } from 'node:crypto'
import type { MailDelivery } from '../../../shared/contracts/desk-notifications.ts'
import type { Delivery } from '../../../shared/contracts/desk-webhooks.ts'
import type { Database } from '../../db/database.ts'
import { asServer } from '../../db/log/origin.ts'
import type { Logger } from '../../operations/logging.ts'
import { logTexts } from '../../operations/log.texts.ts'
import { deliveryRepository } from './deliveries.repository.ts'
import type { DueDelivery } from './deliveries.repository.ts'
import { texts } from './notifications.texts.ts'
import { nextAttempt, tryForMs } from './retry.rules.ts'
import type { RetryPolicy } from './retry.rules.ts'

/** Pending deliveries per recipient, and finished ones that are kept. */
const maxPending = 1000
const maxFinished = 500
/** Milliseconds for which finished deliveries are kept (docs/API.md, "Retention"). */
const retentionMs = 30 * 86_400_000
/** Milliseconds after which a recipient is tried again if the outcome of an attempt could not be stored. */
const storeAgainMs = 60_000
const messageIdBytes = 16
/** The longest delay that a timer can have. */
const maxTimerMs = 2 ** 31 - 1

/** The outcome of one attempt. */
export interface AttemptResult {
  status: 'delivered' | 'failed'
  answerStatus: number | null
  problem: string | null
  /** Milliseconds for which the receiver asks not to be tried again. */
  notBeforeMs?: number
  /** Whether further attempts are pointless. */
  isFinal?: boolean
}

/** A way of delivering messages, to recipients such as `webhook/3` for the kind `webhook`. */
export interface Channel {
  kind: string
  /** Attempts at the same time; each recipient has at most one. */
  parallel: number
  /** Rejects only if the signal aborts it, because the server stops. */
  attempt(delivery: DueDelivery, signal: AbortSignal): Promise<AttemptResult>
}

/** Replaces the clock and the delays, for tests. */
export interface DeliveryTiming extends RetryPolicy {
  now(): number
  /** Milliseconds that one attempt may take. */
  limitMs: number
}

export const usualTiming: DeliveryTiming = {
  now: Date.now,
  random: Math.random,
  baseMs: 5000,
  limitMs: 10_000,
}

/**
 * Delivers messages in the background, at least once each: a message is stored in the transaction of the event that it
 * reports, and is pending until its delivery is recorded. An attempt that a stop interrupts is repeated after the next
 * start (docs/decisions/030-notifications.md).
 */
export function createDeliveries(
  database: Database,
  channels: readonly Channel[],
  log: Logger,
  timing: DeliveryTiming,
) {
  const reading = deliveryRepository(database.reader)
  const writing = deliveryRepository(database.writer)
  const ending = new AbortController()
  /** Recipients with an attempt in progress. */
  const busy = new Map<string, Promise<void>>()
  const failures = new Map(channels.map(({ kind }) => [kind, 0]))
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let waking: NodeJS.Immediate | undefined

  const instant = (ms = timing.now()): string => new Date(ms).toISOString()

  const record = async (delivery: DueDelivery, result: AttemptResult, started: number): Promise<void> => {
    const now = timing.now()
    const next =
      result.status === 'delivered' || result.isFinal
        ? null
        : nextAttempt(
            {
              attempts: delivery.attempts + 1,
              createdAt: Date.parse(delivery.createdAt),
              now,
              notBeforeMs: result.notBeforeMs ?? 0,
            },
            timing,
          )
    await database.transact(() => {
      writing.record({
        id: delivery.id,
        status: next === null ? result.status : 'pending',
        attemptedAt: instant(started),
        durationMs: Math.max(0, now - started),
        answerStatus: result.answerStatus,
        problem: result.problem,
        nextAt: next === null ? null : instant(next),
      })
      if (next === null) writing.trim({ recipient: delivery.recipient, keep: maxFinished })
    })
  }

  /** Returns milliseconds for which the recipient stays busy. */
  const attempt = async (channel: Channel, delivery: DueDelivery): Promise<number> => {
    const started = timing.now()
    try {
      const result = await channel.attempt(delivery, ending.signal)
      if (result.status === 'failed') failures.set(channel.kind, (failures.get(channel.kind) ?? 0) + 1)
      await record(delivery, result, started)
      return 0
    } catch (error) {
      if (ending.signal.aborted) return 0
      log.warn({ err: error, delivery: delivery.id }, logTexts.deliveryNotRecorded)
      return storeAgainMs
    }
  }

  const begin = (channel: Channel, delivery: DueDelivery): void => {
    const { recipient } = delivery
    const release = (): void => {
      busy.delete(recipient)
      pump()
    }
    const run = async (): Promise<void> => {
      const pauseMs = await attempt(channel, delivery)
      if (pauseMs === 0) release()
      else setTimeout(release, pauseMs).unref()
    }
    busy.set(recipient, run())
  }

  const plan = (afterMs: number): void => {
    timer = setTimeout(pump, Math.min(maxTimerMs, Math.max(1, afterMs)))
    timer.unref()
  }

  /** Begins as many attempts as are due and allowed, and plans the next look. */
  const pump = (): void => {
    clearTimeout(timer)
    if (!isStarted || ending.signal.aborted) return
    try {
      beginDue(timing.now())
    } catch (error) {
      log.warn({ err: error }, logTexts.deliveriesNotRead)
      plan(storeAgainMs)
    }
  }

  const beginDue = (nowMs: number): void => {
    database.assertAvailable()
    const now = instant(nowMs)
    // Nothing is planned for later than that, except by a clock that was ahead.
    const latest = instant(nowMs + tryForMs)
    const due = reading.listDue({ now, latest }).filter(({ recipient }) => !busy.has(recipient))
    for (const channel of channels) {
      const isOwn = (recipient: string): boolean => recipient.startsWith(`${channel.kind}/`)
      const free = channel.parallel - [...busy.keys()].filter(isOwn).length
      for (const delivery of due.filter(({ recipient }) => isOwn(recipient)).slice(0, free)) {
        begin(channel, delivery)
      }
    }
    const next = reading.findNextTime(now)
    if (next !== null) plan(Date.parse(next) - nowMs)
  }

  return {
    /**
     * Inside a transaction: queues a message for each recipient, or logs that a recipient's queue is full. The attempts
     * begin once the transaction is committed.
     */
    enqueue(recipients: readonly string[], event: Delivery['event'], data: Record<string, unknown>): void {
      const createdAt = instant()
      const message = {
        messageId: `msg_${randomBytes(messageIdBytes).toString('hex')}`,
        event,
        body: JSON.stringify({ type: event, timestamp: createdAt, data }),
        createdAt,
      }
      for (const recipient of recipients) {
        const isFull = writing.countPending(recipient) >= maxPending
        writing.insert({
          ...message,
          recipient,
          status: isFull ? 'failed' : 'pending',
          problem: isFull ? texts.problem.queueFull(maxPending) : null,
          nextAt: isFull ? null : createdAt,
        })
        if (isFull) writing.trim({ recipient, keep: maxFinished })
      }
      waking ??= asServer(() =>
        setImmediate(() => {
          waking = undefined
          pump()
        }),
      )
    },

    /** Newest first. */
    listDeliveries(recipient: string, limit: number): Delivery[] {
      database.assertAvailable()
      return reading.list(recipient, limit)
    },

    /** E-mail deliveries, newest first. */
    listMailDeliveries(limit: number): MailDelivery[] {
      database.assertAvailable()
      return reading.listOfPeople(limit)
    },

    /** Inside a transaction: ends all pending deliveries of a recipient. */
    cancel: writing.cancelPending,
    /** Inside a transaction: forgets a recipient. */
    forget: writing.removeOf,

    /** Removes old entries of the log, and returns their number. */
    purge: (): Promise<number> => database.transact(() => writing.purge(instant(timing.now() - retentionMs))),

    countPendingOf: reading.countPending,
    countPending: () => reading.countAllPending(),
    /** Failed attempts by channel since the server was started. */
    countFailures: (): ReadonlyMap<string, number> => failures,

    start(): void {
      isStarted = true
      pump()
    },

    /** Aborts the attempts in progress, which stay pending. */
    async end(): Promise<void> {
      ending.abort()
      clearTimeout(timer)
      clearImmediate(waking)
      await Promise.all(busy.values())
    },
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>

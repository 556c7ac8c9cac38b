import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { Database } from '../../db/database.ts'
import type { Deliveries } from '../notifications/deliveries.service.ts'
import { createProcessMetrics } from '../../operations/process-metrics.ts'
import { createExposition } from '../../operations/prometheus-text.ts'
import type { Exposition } from '../../operations/prometheus-text.ts'
import { bucketSeconds } from '../../operations/route-counts.ts'
import type { RouteCount } from '../../operations/route-counts.ts'
import { programVersion } from '../../operations/version.ts'
import { freeBytes } from '../../storage/free-bytes.ts'
import { deskNewsRepository, projectNewsRepository } from './desk-news.repository.ts'
import type { Health } from './health.service.ts'
import { metricsRepository } from './metrics.repository.ts'
import type { ImageAmount } from './metrics.repository.ts'

/** A listener whose requests are counted. */
interface CountedListener {
  readonly state: string
  routes(): RouteCount[]
}

interface MetricsParts {
  database: Database
  /** The files of the database, and the folder that contains them. */
  paths: { folder: string; database: string }
  health: Pick<Health, 'read'>
  registry: CountedListener
  local: CountedListener
  /** The number of releases and the bytes of their packages; null while the database is unavailable. */
  measurePackages(): Promise<{ releases: number | null; packageBytes: number | null }>
  readBackups(): DeskServices['backups']
  readMirror(): DeskServices['mirror']
  deliveries: Pick<Deliveries, 'countPending' | 'countFailures'>
  /** The number of open alerts of the agent project, by kind. */
  countAlerts(): Record<string, number>
}

/** Milliseconds for which metrics are kept, and for which the totals of images are kept. */
const keptMs = 1000
const imagesKeptMs = 60_000
/** Images per query, which then takes a few milliseconds. */
const batchSize = 1000

/** The metrics of this server, collected when they are read. */
export function createMetrics(parts: MetricsParts) {
  const { database, health, paths } = parts
  const repository = metricsRepository(database.reader)
  const releases = deskNewsRepository(database.reader)
  const projects = projectNewsRepository(database.reader)
  const processMetrics = createProcessMetrics()

  const measureImages = keptFor(imagesKeptMs, async (): Promise<Pick<ImageAmount, 'images' | 'bytes'>> => {
    const total = { images: 0, bytes: 0 }
    for (let after = ''; ;) {
      database.assertAvailable()
      const { images, bytes, last } = repository.measureImagesAfter(after, batchSize)
      total.images += images
      total.bytes += bytes
      if (last === null || images < batchSize) return total
      after = last
      await nextTurn()
    }
  })

  const writeRequests = ({ counter, histogram, gauge }: Exposition): void => {
    const listeners = Object.entries({ registry: parts.registry, local: parts.local })
    const counts = listeners.flatMap(([listener, { routes }]) =>
      routes().map(({ method, route, ...count }) => ({ labels: { listener, method, route }, ...count })),
    )
    gauge(
      'skilldock_listener_up',
      'Whether the listener accepts requests.',
      listeners.map(([listener, { state }]) => ({
        labels: { listener },
        value: Number(state === 'running'),
      })),
    )
    counter(
      'skilldock_http_requests_total',
      'Answered requests by route and status.',
      counts.flatMap(({ labels, statuses }) =>
        statuses.map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
      ),
    )
    histogram(
      'skilldock_http_request_duration_seconds',
      'Duration of requests by route, without event streams.',
      counts.map(({ labels, buckets, seconds }) => ({
        labels,
        bounds: bucketSeconds,
        buckets,
        sum: seconds,
      })),
    )
  }

  const writeDatabase = async ({ gauge }: Exposition): Promise<void> => {
    const isAvailable = database.isAvailable()
    gauge('skilldock_database_up', 'Whether the database can be read and written to.', Number(isAvailable))
    gauge('skilldock_database_bytes', 'Size of the database file.', await sizeOf(paths.database))
    gauge(
      'skilldock_database_wal_bytes',
      'Size of the write-ahead log.',
      (await sizeOf(`${paths.database}-wal`)) ?? 0,
    )
    if (!isAvailable) return
    const oldest = repository.oldestPending()
    const age = oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1000)
    gauge('skilldock_queue_releases', 'Releases that wait for a decision.', releases.countPending())
    gauge('skilldock_queue_oldest_seconds', 'Age of the oldest release that waits for a decision.', age)
    gauge('skilldock_queue_projects', 'Projects that wait for a decision.', projects.countPending())
    gauge('skilldock_held_decisions', 'Decisions that can still be undone.', repository.countHeld())
    const mirror = parts.readMirror()
    if (mirror !== null) {
      gauge(
        'skilldock_mirror_updated_timestamp_seconds',
        'Until when a mirror knows all revocations; 0 before its first complete run.',
        mirror.updatedAt === null ? 0 : Date.parse(mirror.updatedAt) / 1000,
      )
      gauge(
        'skilldock_mirror_problem',
        'Whether the last run of a mirror failed or was not complete.',
        Number(mirror.problem !== null),
      )
    }
    gauge(
      'skilldock_deliveries_pending',
      'Notifications that are waiting for an attempt.',
      parts.deliveries.countPending(),
    )
  }

  const writeStorage = async ({ gauge }: Exposition): Promise<void> => {
    const packages = await parts.measurePackages()
    const images = await measureImages().catch(() => ({ images: null, bytes: null }))
    gauge('skilldock_releases', 'All releases, whatever their status.', packages.releases)
    gauge('skilldock_package_bytes', 'Size of all packages.', packages.packageBytes)
    gauge('skilldock_images', 'All images.', images.images)
    gauge('skilldock_image_bytes', 'Size of all images and their renditions.', images.bytes)
    gauge(
      'skilldock_disk_free_bytes',
      'Free space on the disk with the data folder.',
      await freeBytes(paths.folder),
    )
  }

  const writeState = ({ gauge, counter }: Exposition): void => {
    counter(
      'skilldock_delivery_failures_total',
      'Failed attempts to deliver a notification.',
      [...parts.deliveries.countFailures()].map(([channel, value]) => ({ labels: { channel }, value })),
    )
    const checks = Object.entries(health.read().checks)
    const alerts = Object.entries(parts.countAlerts())
    gauge(
      'skilldock_health_check',
      'Whether a health check has passed.',
      checks.map(([check, result]) => ({ labels: { check }, value: Number(result === 'ok') })),
    )
    gauge(
      'skilldock_agent_alerts',
      'Open alerts of the agent project by kind.',
      alerts.map(([kind, value]) => ({ labels: { kind }, value })),
    )
    const { lastTested, problem } = parts.readBackups()
    const testedAt = lastTested === null ? 0 : Date.parse(lastTested.at) / 1000
    gauge(
      'skilldock_backup_tested_timestamp_seconds',
      'When the latest backup was tested by restoring it; 0 without one.',
      testedAt,
    )
    gauge('skilldock_backup_problem', 'Whether backups have failed or are overdue.', Number(problem !== null))
    const labels = { version: programVersion, node: process.versions.node }
    gauge('skilldock_build_info', 'The version of this server.', [{ labels, value: 1 }])
  }

  const collect = async (): Promise<Buffer> => {
    const exposition = createExposition()
    writeState(exposition)
    writeRequests(exposition)
    await writeDatabase(exposition)
    await writeStorage(exposition)
    await processMetrics.writeTo(exposition)
    return Buffer.from(exposition.text())
  }

  return {
    /** The metrics in Prometheus' text format, at most a second old. */
    read: keptFor(keptMs, collect),
    start: processMetrics.start,
    end: processMetrics.end,
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Repeats `work` only once its last result is older than `ms`; a failure is not kept. */
function keptFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let kept: { result: Promise<T>; at: number } | null = null
  return () => {
    if (kept !== null && performance.now() - kept.at < ms) return kept.result
    const result = work()
    kept = { result, at: performance.now() }
    result.catch(() => {
      kept = null
    })
    return result
  }
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size
  } catch {
    return null
  }
}

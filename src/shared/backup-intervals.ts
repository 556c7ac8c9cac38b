/** How often the server backs up its data folder. */
export const backupIntervals = ['never', 'hourly', 'daily', 'weekly'] as const
export type BackupInterval = (typeof backupIntervals)[number]

const hourMs = 3_600_000

/** Milliseconds between two backups. */
export const backupIntervalMs: Record<Exclude<BackupInterval, 'never'>, number> = {
  hourly: hourMs,
  daily: 24 * hourMs,
  weekly: 168 * hourMs,
}

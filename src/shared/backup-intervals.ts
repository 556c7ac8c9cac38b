/** How often the server backs up its data folder. */
export const backupIntervals = ['never', 'hourly', 'daily', 'weekly'] as const
export type BackupInterval = (typeof backupIntervals)[number]

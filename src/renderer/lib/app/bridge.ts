import type { DesktopBridge } from '../../../shared/ipc-schema.ts'

/** The API that the app gives its windows; null in a browser. */
export const bridge: DesktopBridge | null = (globalThis as { skilldock?: DesktopBridge }).skilldock ?? null

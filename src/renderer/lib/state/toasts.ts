import { createStore } from './store.ts'

export interface Toast {
  id: number
  /** `error` stays until it is closed. */
  kind: 'done' | 'error'
  /** Shown in bold before the text. */
  subject?: string
  text: string
  /** A follow-up, such as `Open`. */
  action?: { label: string; run: () => void }
}

/** One toast at a time; a new one replaces the current one. */
export const currentToast = createStore<Toast | null>(null)

let last = 0

export function showToast(toast: Omit<Toast, 'id'>): void {
  last += 1
  currentToast.set({ ...toast, id: last })
}

export function dismissToast(): void {
  currentToast.set(null)
}

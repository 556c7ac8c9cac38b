import { createStore } from './store.ts'

export interface Toast {
  id: number
  /** `error` never leaves by itself. */
  kind: 'done' | 'error'
  /** In bold, in front of the text. */
  subject?: string
  text: string
  /** What may follow, such as `Open`. */
  action?: { label: string; run: () => void }
}

/** One at a time: the newest replaces what was there. */
export const currentToast = createStore<Toast | null>(null)

let last = 0

export function showToast(toast: Omit<Toast, 'id'>): void {
  last += 1
  currentToast.set({ ...toast, id: last })
}

export function dismissToast(): void {
  currentToast.set(null)
}

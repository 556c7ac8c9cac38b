import { app } from 'electron'

/** Shows on the app's icon how many releases and projects wait, where the system has a place for it. */
export function createBadge(): (count: number) => void {
  let shown = 0
  return (count) => {
    if (count === shown) return
    shown = count
    app.setBadgeCount(count)
  }
}

import { app } from 'electron'

/** Shows the number of pending releases and projects on the app's icon, if the system supports it. */
export function createBadge(): (count: number) => void {
  let shown = 0
  return (count) => {
    if (count === shown) return
    shown = count
    app.setBadgeCount(count)
  }
}

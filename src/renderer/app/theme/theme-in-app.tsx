import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useState } from 'react'
import { bridge } from '../../lib/bridge.ts'

/**
 * Keeps the theme with the app, whose window forgets what a page stores, and lets the app's own parts (menus, title
 * bar, dialogs) follow it.
 */
export function ThemeInApp() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isTaken, setTaken] = useState(false)
  useEffect(() => {
    bridge?.app.info().then(
      ({ theme }) => {
        setColorScheme(theme === 'system' ? 'auto' : theme)
        setTaken(true)
      },
      () => setTaken(true),
    )
  }, [setColorScheme])
  useEffect(() => {
    // What the page shows does not depend on it: an app that is about to end may not answer.
    if (isTaken) bridge?.window.setTheme(colorScheme === 'auto' ? 'system' : colorScheme).catch(() => {})
  }, [colorScheme, isTaken])
  return null
}

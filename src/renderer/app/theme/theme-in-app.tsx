import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { bridge } from '../../lib/bridge.ts'

/** Lets the app's own parts (menus, title bar, dialogs) follow the theme of the desk. */
export function ThemeInApp() {
  const { colorScheme } = useMantineColorScheme()
  useEffect(() => {
    // What the page shows does not depend on it: an app that is about to end may not answer.
    bridge?.window.setTheme(colorScheme === 'auto' ? 'system' : colorScheme).catch(() => {})
  }, [colorScheme])
  return null
}

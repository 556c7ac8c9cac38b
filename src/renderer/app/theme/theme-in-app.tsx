import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { bridge } from '../../lib/app/bridge.ts'

/**
 * Keeps the theme with the app, whose window forgets what a page stores, and lets the app's own parts (menus, title
 * bar, dialogs) follow it.
 */
export function ThemeInApp() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isTaken, setTaken] = useState(false)
  const isAsked = useRef(false)
  useEffect(() => {
    // Once: the page's theme counts as soon as the app's is taken.
    if (isAsked.current) return
    isAsked.current = true
    const take = async (): Promise<void> => {
      const info = await bridge?.app.info().catch(() => null)
      if (info === undefined || info === null) return
      setColorScheme(info.theme === 'system' ? 'auto' : info.theme)
      setTaken(true)
    }
    void take()
  }, [setColorScheme])
  useEffect(() => {
    // What the page shows does not depend on it: an app that is about to end may not answer.
    if (isTaken) bridge?.window.setTheme(colorScheme === 'auto' ? 'system' : colorScheme).catch(() => {})
  }, [colorScheme, isTaken])
  return null
}

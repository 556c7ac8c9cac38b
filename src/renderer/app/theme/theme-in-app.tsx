import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { bridge } from '../../lib/app/bridge.ts'

/**
 * Saves the theme in the app, whose window does not keep a page's storage, and applies it to the app's own menus, title
 * bar and dialogs.
 */
export function ThemeInApp() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isLoaded, setLoaded] = useState(false)
  const isRequested = useRef(false)
  useEffect(() => {
    // Once: after the app's theme has been loaded, the page's own choice wins.
    if (isRequested.current) return
    isRequested.current = true
    const load = async (): Promise<void> => {
      const info = await bridge?.app.info().catch(() => null)
      if (info === undefined || info === null) return
      setColorScheme(info.theme === 'system' ? 'auto' : info.theme)
      setLoaded(true)
    }
    void load()
  }, [setColorScheme])
  useEffect(() => {
    // Errors are ignored: the page does not depend on it, and an app that is quitting may not respond.
    if (isLoaded) bridge?.window.setTheme(colorScheme === 'auto' ? 'system' : colorScheme).catch(() => {})
  }, [colorScheme, isLoaded])
  return null
}

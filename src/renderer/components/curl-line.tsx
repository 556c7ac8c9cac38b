import { CopyIcon } from './copy-button.tsx'
import classes from './curl-line.module.css'

/** The line that publishes a skill to this registry, whole and selectable at once. */
export function CurlLine({ address }: { address: string }) {
  const line = [
    'curl --fail-with-body',
    `-H "Authorization: Bearer $SKILLDOCK_TOKEN"`,
    `-F 'manifest=<manifest.json'`,
    `-F 'wasm=@skill.wasm;type=application/wasm'`,
    `${address}/api/marketplace/publish`,
  ].join(' ')
  return (
    <div className={classes['line']}>
      <code>{line}</code>
      <CopyIcon text={line} what="the line" />
    </div>
  )
}

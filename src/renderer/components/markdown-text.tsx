import { lazy, Suspense } from 'react'
import { Bones } from './bones.tsx'
import classes from './markdown-text.module.css'
import { PlainText } from './plain-text.tsx'

// The reader of Markdown comes when the first text is shown, not with the desk. Where it does not come, as after an
// update of what serves this page, the text itself is there.
const Body = lazy(async () => {
  try {
    return { default: (await import('./markdown-body.tsx')).MarkdownBody }
  } catch {
    return { default: MarkdownSource }
  }
})

interface Props {
  source: string
  /** Completes "Reading …". */
  what: string
  /** Whether pictures of the library that it names are shown. */
  pictures?: boolean
}

/** Markdown as it reads. */
export function MarkdownText({ source, what, pictures = false }: Props) {
  return (
    <Suspense fallback={<Bones rows={5} what={what} />}>
      <Body source={source} pictures={pictures} />
    </Suspense>
  )
}

/** Markdown as it was written. */
export function MarkdownSource({ source }: { source: string; pictures?: boolean }) {
  return (
    <pre className={classes['source']} tabIndex={0}>
      <PlainText text={source} />
    </pre>
  )
}

import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Component } from 'react'
import type { ReactNode } from 'react'
import { asApiError, describeError } from '../../lib/server/api-error.ts'
import { CopyButton } from '../form/copy-button.tsx'
import classes from './error-boundary.module.css'
import { Notice } from './notice.tsx'

interface Props {
  /** Names what it contains: the beginning of "… can't be shown". */
  what: string
  /** When it changes, the boundary tries again, because other content is shown. */
  resetKey?: unknown
  /** The page's heading, if the boundary contains the whole page. */
  heading?: string
  children: ReactNode
}

interface State {
  failure: { error: unknown } | null
  resetKey: unknown
}

/**
 * Contains rendering errors, so that the rest of the screen keeps working. The layout components (`Region`,
 * `ListAndSheet`, `SheetPane`, `AreaSide`, `Section`, the desk itself) wrap each of their parts in one, so screens need
 * none of their own.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { failure: null, resetKey }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <Fault
        error={failure.error}
        what={this.props.what}
        heading={this.props.heading}
        onRetry={() => this.setState({ failure: null })}
      />
    )
  }
}

interface FaultProps {
  error: unknown
  what: string
  heading: string | undefined
  onRetry: () => void
}

function Fault({ error, what, heading, onRetry }: FaultProps) {
  const client = useQueryClient()
  const known = asApiError(error)
  const title = `${what} can't be shown`
  return (
    <div className={classes['fault']} data-fault>
      {heading !== undefined && <VisuallyHidden component="h1">{heading}</VisuallyHidden>}
      <Notice
        tone="bad"
        icon={IconAlertTriangle}
        title={title}
        role="alert"
        actions={
          <>
            <Button
              size="sm"
              onClick={() => {
                // Reload data that nothing else uses: it may be the cause of the error.
                client.removeQueries({ type: 'inactive' })
                onRetry()
              }}
            >
              Try again
            </Button>
            <CopyButton size="sm" label="Copy details" text={describeError(known, title)} />
          </>
        }
      >
        <p>
          An unexpected error occurred.
          {heading === undefined && ' The rest of the desk still works.'}
        </p>
        <p>
          <code>{known.message}</code>
        </p>
      </Notice>
    </div>
  )
}

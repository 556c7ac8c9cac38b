import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { ErrorBoundary } from '../components/feedback/error-boundary.tsx'
import { Gate } from './gate.tsx'
import { createQueryClient } from './query-client.ts'
import { ThemeInApp } from './theme/theme-in-app.tsx'
import { cssVariablesResolver, theme } from './theme/theme.ts'

const client = createQueryClient()
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// The same storage key that public/scheme.js reads before the first paint.
const schemes = localStorageColorSchemeManager({ key: 'mantine-color-scheme-value' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <ThemeInApp />
      <QueryClientProvider client={client}>
        <Router base="/desk">
          <ErrorBoundary what="The desk" heading="Skilldock">
            <Gate />
          </ErrorBoundary>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  )
}

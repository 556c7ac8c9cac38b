import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/mantine.css'
import './theme/desk.css'
import { loadSessionKey } from '../lib/server/session-key.ts'
import { App } from './app.tsx'

await loadSessionKey()
const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

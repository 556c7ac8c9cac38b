import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { CurlLine } from '../../../components/curl-line.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import classes from './panel.module.css'

/** One line from a terminal, with this server's address in it. */
export function HowToPublish() {
  const services = useQuery(servicesQuery)
  return (
    <section className={classes['panel']} aria-label="How to publish">
      <header>
        <h2>How to publish</h2>
      </header>
      <p className={classes['text']}>
        Put a token into <code>SKILLDOCK_TOKEN</code>, then send the manifest and the module:
      </p>
      {services.data !== undefined && <CurlLine address={services.data.publicUrl} />}
      <p className={classes['text']}>
        Or sign in with <code>skill login</code> and <Link href="/confirm">confirm the code</Link> that it
        shows; then <code>skill publish</code> needs nothing else.
      </p>
      <p className={classes['text']}>A person reviews each release. Its status and the notes appear here.</p>
    </section>
  )
}

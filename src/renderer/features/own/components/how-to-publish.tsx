import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { curlPublishLine, installLine, publishLine } from '../../../../shared/terminal-lines.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import classes from './panel.module.css'

/** The lines for a terminal, with this server's address in them. */
export function HowToPublish() {
  const services = useQuery(servicesQuery)
  const address = services.data?.publicUrl
  return (
    <section className={classes['panel']} aria-label="How to publish">
      <header>
        <h2>How to publish</h2>
      </header>
      <p className={classes['text']}>
        Install <code>skill</code>, which needs Node 20 or newer:
      </p>
      {address !== undefined && (
        <CommandLine command={installLine(address)} what="the line that installs skill" />
      )}
      <p className={classes['text']}>
        Then sign in and publish, in the folder of your skill. <Link href="/confirm">Confirm the code</Link>{' '}
        that it shows:
      </p>
      <CommandLine command={publishLine} what="the line that publishes" />
      <p className={classes['text']}>
        Or with curl alone. Put a token into <code>SKILL_TOKEN</code> first:
      </p>
      {address !== undefined && <CommandLine command={curlPublishLine(address)} what="the line for curl" />}
      <p className={classes['text']}>A person reviews each release. Its status and the notes appear here.</p>
    </section>
  )
}

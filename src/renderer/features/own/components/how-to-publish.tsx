import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { curlPublishLine, installLine, publishLine } from '../../../../shared/terminal-lines.ts'
import { Section } from '../../../components/section.tsx'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import { texts } from '../own.texts.ts'
import classes from './panel.module.css'

const { publish } = texts

/** The commands to install the client and publish, with this server's address. */
export function HowToPublish() {
  const services = useQuery(servicesQuery)
  const address = services.data?.publicUrl
  return (
    <Section title={publish.title}>
      <p className={classes['text']}>{publish.install}</p>
      {address !== undefined && <CommandLine command={installLine(address)} what={publish.installCommand} />}
      <p className={classes['text']}>
        {publish.publish} <Link href="/confirm">{publish.confirm}</Link> {publish.confirmHint}
      </p>
      <CommandLine command={publishLine} what={publish.publishCommand} />
      <p className={classes['text']}>
        {publish.curl} <code>SKILL_TOKEN</code>:
      </p>
      {address !== undefined && <CommandLine command={curlPublishLine(address)} what={publish.curlCommand} />}
      <p className={classes['text']}>{publish.review}</p>
    </Section>
  )
}

import { IconFolder, IconInbox, IconLayoutNavbar, IconServer2 } from '@tabler/icons-react'
import type { DeskSetting } from '../../../../shared/contracts/desk-settings.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { Expectations } from './expectations.tsx'

/** What there is when the page has been sent. */
export function FirstRunExpectations({ settings, port }: { settings: readonly DeskSetting[]; port: string }) {
  const fixed = settings.find(({ key }) => key === 'port')?.source === 'environment'
  const registry = fixed ? 'The registry' : `The registry on port ${port.trim()}`
  return (
    <Expectations
      title="What happens when you start"
      items={[
        {
          icon: IconFolder,
          title: 'A folder for data',
          text: 'The database, the packages by their digest, and a signing key that only your account can read.',
        },
        {
          icon: IconServer2,
          title: 'Two services',
          text: `${registry}, which others may reach if you let them, and the desk with the dashboard, which answers this computer only.`,
        },
        ...(bridge === null
          ? []
          : [
              {
                icon: IconLayoutNavbar,
                title: 'A place in the tray',
                text: 'Closing the window keeps the services. Quit stops them, after what is under way has finished.',
              },
            ]),
        {
          icon: IconInbox,
          title: 'An empty queue',
          text: 'The first screen shows the one line that publishes a skill from a terminal.',
        },
      ]}
    />
  )
}

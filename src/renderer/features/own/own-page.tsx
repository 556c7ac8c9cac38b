import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { PageHead } from '../../components/page-head.tsx'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { HowToPublish } from './components/how-to-publish.tsx'
import { OwnAccess } from './components/own-access.tsx'
import { OwnNotifications } from './components/own-notifications.tsx'
import { OwnReleases } from './components/own-releases.tsx'
import { ReceivedOffers } from './components/received-offers.tsx'
import { texts } from './own.texts.ts'
import classes from './own-page.module.css'
import page from './page.module.css'

/** The releases, tokens and sessions of the signed-in person, and how to publish. */
export function OwnPage({ me }: { me: DeskPerson }) {
  return (
    <Region name="sheet" className={page['page']}>
      <div className={classes['columns']}>
        <div>
          <PageHead title={texts.title}>
            <Link className={classes['names']} href="/own/names">
              {texts.names.title}
            </Link>
            <Button
              component={Link}
              className={classes['submit'] ?? ''}
              href="/own/submit"
              size="sm"
              variant="filled"
              leftSection={<IconFileUpload size={16} stroke={1.75} />}
            >
              {texts.submit}
            </Button>
          </PageHead>
          <ReceivedOffers />
          <OwnReleases />
        </div>
        <div>
          <HowToPublish />
          <OwnAccess me={me} />
          <OwnNotifications />
        </div>
      </div>
      <ToastArea place="window" />
    </Region>
  )
}

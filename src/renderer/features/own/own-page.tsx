import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { useTitle } from '../../lib/app/use-title.ts'
import { HowToPublish } from './components/how-to-publish.tsx'
import { OwnAccess } from './components/own-access.tsx'
import { OwnReleases } from './components/own-releases.tsx'
import classes from './own-page.module.css'

/** What everybody sees of their own: releases, how to publish, tokens and sessions. */
export function OwnPage({ me }: { me: DeskPerson }) {
  useTitle('My releases')
  return (
    <Region name="sheet" className={classes['page']}>
      <div className={classes['columns']}>
        <div>
          <header className={classes['head']}>
            <h1>My releases</h1>
            <Button
              component={Link}
              className={classes['submit'] ?? ''}
              href="/own/submit"
              size="sm"
              variant="filled"
              leftSection={<IconFileUpload size={16} stroke={1.75} />}
            >
              Submit a release
            </Button>
          </header>
          <OwnReleases />
        </div>
        <div>
          <HowToPublish />
          <OwnAccess me={me} />
        </div>
      </div>
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </Region>
  )
}

import { Button } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { OwnNameItem } from './components/own-name.tsx'
import { ReceivedOffers } from './components/received-offers.tsx'
import { ownNamesQuery } from './names.api.ts'
import classes from './names-page.module.css'
import page from './page.module.css'
import { texts } from './own.texts.ts'

/** The names that the signed-in person owns, and the offers to them. */
export function NamesPage({ me }: { me: DeskPerson }) {
  const query = useInfiniteQuery(ownNamesQuery)
  const names = query.data?.pages.flatMap(({ items }) => items)
  const total = query.data?.pages.at(-1)?.total ?? 0
  return (
    <Region name="sheet" className={page['page']}>
      <div className={classes['body']}>
        <PageHead title={texts.names.title} area={texts.title}>
          <Link href="/own">{texts.title}</Link>
        </PageHead>
        <p className={classes['text']}>{texts.names.hint(me.subject, me.id)}</p>
        <ReceivedOffers />
        <Loading query={query} rows={4} height={56} what={texts.names.what} failed={texts.names.loadFailed} />
        {names?.length === 0 && (
          <EmptyState icon={IconTag} title={texts.names.none}>
            <p>{texts.names.noneHint}</p>
          </EmptyState>
        )}
        <ul aria-label={texts.names.list}>
          {names?.map((own) => (
            <OwnNameItem key={own.name} own={own} me={me} />
          ))}
        </ul>
        {query.hasNextPage && (
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {texts.names.more(total)}
          </Button>
        )}
      </div>
      <ToastArea place="window" />
    </Region>
  )
}

import { Button } from '@mantine/core'
import { IconArticle, IconFilter, IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { ActionButton } from '../../components/form/action-button.tsx'
import { Region } from '../../components/feedback/region.tsx'
import type { PostRow } from '../../../shared/contracts/desk-posts.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { SearchField } from '../../components/list/search-field.tsx'
import { FieldSegments } from '../../components/list/field-segments.tsx'
import { Status } from '../../components/feedback/status.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import type { DataColumn } from '../../components/list/data-column.ts'
import { When } from '../../components/list/when.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { plural } from '../../lib/format.ts'
import { asListed } from '../../lib/list/paged-list.ts'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { usePagedList } from '../../lib/list/use-paged-list.ts'
import { blogFilter } from './blog-filter.ts'
import type { BlogFilter } from './blog-filter.ts'
import classes from './blog-page.module.css'
import { texts } from './blog.texts.ts'
import { postsQuery, useCreatePost } from './blog.api.ts'

const { list } = texts

const columns: readonly DataColumn<PostRow>[] = [
  {
    label: list.columns.title,
    width: [248, 2.6],
    cell: ({ title, slug }) => (
      <span className={classes['title']}>
        <b>{title === '' ? texts.untitled : title}</b>
        {slug !== '' && <code>/blog/{slug}</code>}
      </span>
    ),
  },
  {
    label: list.columns.state,
    width: 150,
    cell: ({ state, changed }) => (
      <span className={classes['state']}>
        <Status kind={state} />
        {changed && <span data-ink="calm">{list.edited}</span>}
      </span>
    ),
  },
  { label: list.columns.tags, width: [100, 0.7], cell: ({ tags }) => tags.join(', ') },
  {
    label: list.columns.public,
    width: 104,
    cell: ({ publishAt }) => publishAt !== null && <When at={publishAt} />,
  },
  {
    label: list.columns.changed,
    width: [170, 0.9],
    cell: ({ updatedAt, updatedBy }) => (
      <>
        <When at={updatedAt} ago /> {list.by(updatedBy)}
      </>
    ),
  },
]

const views = [
  [null, list.views.all],
  ['draft', list.views.draft],
  ['scheduled', list.views.scheduled],
  ['published', list.views.published],
] as const

/** All posts, most recently updated first. */
export function BlogPage() {
  const [, navigate] = useLocation()
  const state = useViewFilter(blogFilter)
  const { filter, pathTo, show } = state
  const posts = usePagedList({
    page: (offset) => postsQuery(filter, offset),
    placement: asListed,
    keyOf: ({ id }) => id,
  })
  const create = useCreatePost()
  const createPost = (): void => {
    if (!create.isPending) {
      create.mutate(undefined, { onSuccess: ({ id }) => navigate(`/content/blog/${id}`) })
    }
  }
  useActions([{ id: 'new-post', label: list.newPostAction, group: 'Look', keys: ['n'], run: createPost }])
  return (
    <Region name="sheet" className={classes['page']}>
      <PageHead title={list.title}>
        <span data-ink="calm">{!posts.isPending && plural(posts.total, 'post')}</span>
        <FieldSegments label={list.views.label} state={state} field="state" options={views} />
        <div className={classes['search']}>
          <SearchField value={filter.q} placeholder={list.search} onSearch={(q) => show({ q })} />
        </div>
        <ActionButton
          variant="filled"
          loading={create.isPending}
          icon={IconPlus}
          keys="n"
          onClick={createPost}
        >
          {list.newPost}
        </ActionButton>
      </PageHead>
      {create.error !== null && <Failure error={create.error} what={list.createFailed} />}
      <Loading query={posts} rows={8} height={40} what={list.loading} failed={list.loadFailed} />
      {!posts.isPending && posts.total === 0 && <NoPosts filter={filter} onCreate={createPost} />}
      {posts.total > 0 && (
        <div className={classes['table']}>
          <DataTable
            label={list.table}
            columns={columns}
            rows={{ ...posts, view: pathTo({}) }}
            rowHeight={40}
            onOpen={({ id }) => navigate(`/content/blog/${id}`)}
            walk={list.walk}
          />
        </div>
      )}
      <ToastArea place="pane" />
    </Region>
  )
}

function NoPosts({ filter, onCreate }: { filter: BlogFilter; onCreate: () => void }) {
  if (filter.state === null && filter.q === '') {
    return (
      <EmptyState icon={IconArticle} title={list.empty.title}>
        <p>{list.empty.text}</p>
        <Button onClick={onCreate}>{list.empty.action}</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconFilter} title={list.noMatches.title}>
      {filter.q !== '' && (
        <Link href={blogFilter.path({ ...filter, q: '' })}>{list.noMatches.clearSearch}</Link>
      )}{' '}
      <Link href={blogFilter.path({})}>{list.noMatches.all}</Link>
    </EmptyState>
  )
}

import { Button } from '@mantine/core'
import { IconArticle, IconFilter, IconPlus } from '@tabler/icons-react'
import { Link, useLocation, useSearch } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import type { PostRow } from '../../../shared/contracts/desk-posts.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { Keycap } from '../../components/form/keycap.tsx'
import { SearchField } from '../../components/list/search-field.tsx'
import { Segmented } from '../../components/list/segmented.tsx'
import { Status } from '../../components/feedback/status.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { VirtualTable } from '../../components/list/virtual-table.tsx'
import type { Column } from '../../components/list/data-column.ts'
import { When } from '../../components/list/when.tsx'
import { moveActions, useActions } from '../../lib/keys/actions.ts'
import { plural } from '../../lib/format.ts'
import { asListed } from '../../lib/list/paged-list.ts'
import { usePagedList } from '../../lib/list/use-paged-list.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { allPosts, blogPath, readBlogFilter } from './blog-filter.ts'
import type { BlogFilter } from './blog-filter.ts'
import classes from './blog-page.module.css'
import { texts } from './blog.texts.ts'
import { postsQuery, useCreatePost } from './blog.api.ts'

const { list } = texts

const columns: readonly Column[] = [
  { key: 'title', label: list.columns.title },
  { key: 'state', label: list.columns.state },
  { key: 'tags', label: list.columns.tags },
  { key: 'public', label: list.columns.public },
  { key: 'changed', label: list.columns.changed },
]

const views = [
  { key: 'all', label: list.views.all, state: null },
  { key: 'draft', label: list.views.draft, state: 'draft' },
  { key: 'scheduled', label: list.views.scheduled, state: 'scheduled' },
  { key: 'published', label: list.views.published, state: 'published' },
] as const

/** All posts, most recently updated first. */
export function BlogPage() {
  useTitle(list.title)
  const [, navigate] = useLocation()
  const filter = readBlogFilter(useSearch())
  const posts = usePagedList({ page: (offset) => postsQuery(filter, offset), placement: asListed })
  const create = useCreatePost()
  const createPost = (): void => {
    if (!create.isPending) {
      create.mutate(undefined, { onSuccess: ({ id }) => navigate(`/content/blog/${id}`) })
    }
  }
  useActions([
    { id: 'new-post', label: list.actions.newPost, group: 'Look', keys: ['n'], run: createPost },
    ...moveActions(list.actions, (step) => moveInTable(step === 1 ? 'ArrowDown' : 'ArrowUp')),
  ])
  return (
    <Region name="sheet" className={classes['page']}>
      <header className={classes['head']}>
        <h1>{list.title}</h1>
        <span data-ink="calm">{!posts.loading && plural(posts.total, 'post')}</span>
        <Segmented
          label={list.views.label}
          current={filter.state ?? 'all'}
          segments={views.map(({ key, label, state }) => ({
            key,
            label,
            href: blogPath({ ...filter, state }),
          }))}
        />
        <div className={classes['search']}>
          <SearchField
            value={filter.q}
            placeholder={list.search}
            onSearch={(q) => navigate(blogPath({ ...filter, q }), { replace: true })}
          />
        </div>
        <Button
          variant="filled"
          loading={create.isPending}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          rightSection={<Keycap keys="n" quiet />}
          onClick={createPost}
        >
          {list.newPost}
        </Button>
      </header>
      {create.error !== null && <Failure error={create.error} what={list.createFailed} />}
      {posts.error !== null && <Failure error={posts.error} what={list.loadFailed} retry={posts.retry} />}
      {posts.loading && posts.error === null && <Skeleton rows={8} height={40} what={list.loading} />}
      {!posts.loading && posts.total === 0 && <NoPosts filter={filter} onCreate={createPost} />}
      {posts.total > 0 && (
        <div className={classes['table']}>
          <VirtualTable
            label={list.table}
            columns={columns}
            widths="minmax(200px, 2.6fr) 150px minmax(100px, 0.7fr) 104px minmax(170px, 0.9fr)"
            total={posts.total}
            rowHeight={40}
            view={blogPath(filter)}
            onVisible={(first, last) => posts.loadVisible({ first, end: last + 1 })}
            onOpen={(row) => {
              const post = posts.rowAt(row)
              if (post !== undefined) navigate(`/content/blog/${post.id}`)
            }}
            cells={(row) => {
              const post = posts.rowAt(row)
              return post === undefined ? null : cellsOf(post)
            }}
          />
        </div>
      )}
      <ToastArea place="pane" />
    </Region>
  )
}

/** Focuses the table; once it has the focus, moves the selection as its own arrow keys do. */
function moveInTable(key: 'ArrowDown' | 'ArrowUp'): void {
  const table = document.querySelector<HTMLElement>('[role="grid"]')
  if (table === null) return
  if (document.activeElement === table)
    table.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  else table.focus()
}

function cellsOf(post: PostRow) {
  return [
    <span key="title" className={classes['title']}>
      <b>{post.title === '' ? texts.untitled : post.title}</b>
      {post.slug !== '' && <code>/blog/{post.slug}</code>}
    </span>,
    <span key="state" className={classes['state']}>
      <Status kind={post.state} />
      {post.changed && <span data-ink="calm">{list.edited}</span>}
    </span>,
    post.tags.join(', '),
    post.publishAt === null ? '' : <When key="public" at={post.publishAt} />,
    <span key="changed">
      <When at={post.updatedAt} ago /> {list.by(post.updatedBy)}
    </span>,
  ]
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
      {filter.q !== '' && <Link href={blogPath({ ...filter, q: '' })}>{list.noMatches.clearSearch}</Link>}{' '}
      <Link href={blogPath(allPosts)}>{list.noMatches.all}</Link>
    </EmptyState>
  )
}

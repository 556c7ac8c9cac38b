import { Button } from '@mantine/core'
import { IconArticle, IconFilter, IconPlus } from '@tabler/icons-react'
import { Link, useLocation, useSearch } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import type { PostRow } from '../../../shared/contracts/desk-posts.ts'
import { Bones } from '../../components/feedback/bones.tsx'
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
import { useActions } from '../../lib/keys/actions.ts'
import { plural } from '../../lib/format.ts'
import { asListed } from '../../lib/list/paged-list.ts'
import { usePagedList } from '../../lib/list/use-paged-list.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { allPosts, blogPath, readBlogFilter } from './blog-filter.ts'
import type { BlogFilter } from './blog-filter.ts'
import classes from './blog-page.module.css'
import { postsQuery, useCreatePost } from './blog.api.ts'

const columns: readonly Column[] = [
  { key: 'title', label: 'Post' },
  { key: 'state', label: 'State' },
  { key: 'tags', label: 'Tags' },
  { key: 'public', label: 'Public' },
  { key: 'changed', label: 'Last change' },
]

const views = [
  { key: 'all', label: 'All', state: null },
  { key: 'draft', label: 'Drafts', state: 'draft' },
  { key: 'scheduled', label: 'Scheduled', state: 'scheduled' },
  { key: 'published', label: 'Published', state: 'published' },
] as const

/** Every post, what was changed last first. */
export function BlogPage() {
  useTitle('Blog')
  const [, navigate] = useLocation()
  const filter = readBlogFilter(useSearch())
  const posts = usePagedList({ page: (offset) => postsQuery(filter, offset), placement: asListed })
  const create = useCreatePost()
  const begin = (): void => {
    if (!create.isPending) {
      create.mutate(undefined, { onSuccess: ({ id }) => navigate(`/content/blog/${id}`) })
    }
  }
  useActions([
    { id: 'new-post', label: 'write a new post', group: 'Look', keys: ['n'], run: begin },
    {
      id: 'next',
      label: 'next post',
      group: 'Move',
      keys: ['j'],
      keysOnly: true,
      run: () => walk('ArrowDown'),
    },
    {
      id: 'previous',
      label: 'previous post',
      group: 'Move',
      keys: ['k'],
      keysOnly: true,
      run: () => walk('ArrowUp'),
    },
  ])
  return (
    <Region name="sheet" className={classes['page']}>
      <header className={classes['head']}>
        <h1>Blog</h1>
        <span className={classes['count']}>{!posts.loading && plural(posts.total, 'post')}</span>
        <Segmented
          label="Which posts"
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
            placeholder="Title, address or tag"
            onSearch={(q) => navigate(blogPath({ ...filter, q }), { replace: true })}
          />
        </div>
        <Button
          variant="filled"
          loading={create.isPending}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          rightSection={<Keycap keys="n" quiet />}
          onClick={begin}
        >
          New post
        </Button>
      </header>
      {create.error !== null && <Failure error={create.error} what="No post could be begun" />}
      {posts.error !== null && (
        <Failure error={posts.error} what="The posts cannot be read" retry={posts.retry} />
      )}
      {posts.loading && posts.error === null && <Bones rows={8} height={40} what="the posts" />}
      {!posts.loading && posts.total === 0 && <Nothing filter={filter} onBegin={begin} />}
      {posts.total > 0 && (
        <div className={classes['table']}>
          <VirtualTable
            label="Posts"
            columns={columns}
            widths="minmax(200px, 2fr) 176px minmax(100px, 1fr) 116px minmax(140px, 0.8fr)"
            total={posts.total}
            rowHeight={40}
            view={blogPath(filter)}
            onVisible={(first, last) => posts.look({ first, end: last + 1 })}
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
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </Region>
  )
}

/** Goes to the table, and there from row to row as its own keys do. */
function walk(key: 'ArrowDown' | 'ArrowUp'): void {
  const table = document.querySelector<HTMLElement>('[role="grid"]')
  if (table === null) return
  if (document.activeElement === table)
    table.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  else table.focus()
}

function cellsOf(post: PostRow) {
  return [
    <span key="title" className={classes['title']}>
      <b>{post.title === '' ? 'Without a title' : post.title}</b>
      {post.slug !== '' && <code>/blog/{post.slug}</code>}
    </span>,
    <span key="state" className={classes['state']}>
      <Status kind={post.state} />
      {post.changed && <span className={classes['changed']}>changed since</span>}
    </span>,
    post.tags.join(', '),
    post.publishAt === null ? '' : <When key="public" at={post.publishAt} />,
    <span key="changed">
      <When at={post.updatedAt} ago /> by {post.updatedBy}
    </span>,
  ]
}

function Nothing({ filter, onBegin }: { filter: BlogFilter; onBegin: () => void }) {
  if (filter.state === null && filter.q === '') {
    return (
      <EmptyState icon={IconArticle} title="No post yet">
        <p>A post is a draft that only administrators see, until it is published.</p>
        <Button onClick={onBegin}>Write the first one</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconFilter} title="No post for this filter">
      {filter.q !== '' && <Link href={blogPath({ ...filter, q: '' })}>Drop the text</Link>}{' '}
      <Link href={blogPath(allPosts)}>All posts</Link>
    </EmptyState>
  )
}

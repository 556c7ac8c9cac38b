/** The sentences of errors about documents for programs. */
export const texts = {
  noSecurityContact: 'This registry has no security contact.',
  noClient: 'This registry does not provide the client. Use the API described in /openapi.json instead.',
  noSitemapPart: 'The sitemap has no such part. Start at /api/sitemap.xml.',
  invalidPath: (problems: string) => `The path is invalid: ${problems}.`,
  noPost: 'There is no published post with this slug. Browse /blog.',
  noProject: 'There is no approved project with this slug. Browse /showcase.',
} as const

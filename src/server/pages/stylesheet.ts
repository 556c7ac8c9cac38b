/** A font file of the built desk. */
export interface FontFile {
  family: 'Inter Variable' | 'JetBrains Mono Variable'
  subset: 'latin' | 'latin-ext'
  file: string
}

/** `latin` comes last, so that it wins for characters in both ranges. */
const ranges: Record<FontFile['subset'], string> = {
  'latin-ext': 'U+100-2FF,U+1E00-1EFF,U+20A0-20CF',
  latin: 'U+0-FF,U+131,U+152-153,U+2C6,U+2DA,U+2DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+FFFD',
}

// The desk's colors.
const tokens: Record<string, readonly [light: string, dark: string]> = {
  app: ['#F3F2EE', '#151412'],
  sheet: ['#FCFBF9', '#1C1B18'],
  raised: ['#FFFFFF', '#24221F'],
  sunken: ['#EDEBE6', '#11100E'],
  line: ['#E3E0D9', '#302D29'],
  line2: ['#CFCBC2', '#45413B'],
  control: ['#8B867C', '#827C72'],
  ink: ['#211F1B', '#ECE9E3'],
  ink2: ['#57534B', '#BBB6AC'],
  ink3: ['#6B665D', '#9F998E'],
  accent: ['#1B5E86', '#82BBE0'],
  hover: ['#154C6D', '#A3CEEA'],
  on: ['#FFFFFF', '#0E1A22'],
  tint: ['#E1ECF3', '#1D303D'],
  tintline: ['#A9C8DB', '#35566B'],
  ok: ['#1D6B42', '#74C698'],
  bad: ['#A82C22', '#F1938A'],
  badtint: ['#FBE8E4', '#3B201D'],
  badline: ['#E9B9B1', '#6B3731'],
}

const variables = (scheme: 0 | 1): string =>
  Object.entries(tokens)
    .map(([name, values]) => `--${name}:${values[scheme]};`)
    .join('')

const base = `
*{box-sizing:border-box;margin:0;padding:0}
html{color-scheme:light dark;background:var(--sheet);-webkit-text-size-adjust:100%}
body{min-height:100vh;display:flex;flex-direction:column;color:var(--ink);
  font:15px/24px 'Inter Variable',system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{font-size:15px;font-weight:600}
h1,.by,.entry,.tile,.links{overflow-wrap:anywhere}
h1{font-size:26px;line-height:32px;letter-spacing:-.02em}
h2{font-size:17px}
.plain,nav ul{list-style:none}
a{color:var(--accent);text-decoration:none;text-underline-offset:.17em}
a:hover{color:var(--hover);text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre,.mono,.name a{font-family:'JetBrains Mono Variable',ui-monospace,Menlo,Consolas,monospace;
  font-feature-settings:'calt' 0,'liga' 0}
code{font-size:.87em}
pre code{font-size:inherit}
pre{overflow-x:auto}
img{max-width:100%;height:auto;display:block}
.lead{font-size:17px;line-height:26px}
.small,.crumbs,.note,.pages,.chips a,.meta,.date,.ver,.title .ok,.hint,.wrong,.kept,.by,pre,label,legend,summary,footer,
  aside section,aside h2,.example p{font-size:13px;line-height:20px}
.lead,.quiet,.ver,.meta,.date,.pages,.hint,.by,.chips a,.bar nav a,footer,aside p,.reviews p,blockquote{color:var(--ink2)}
.box,.note,.errors,.example,.chips a,.button,input,textarea,.prose pre,.prose img,.shots img,.entry img,.shot{
  border-radius:6px}
.box,.prose pre{background:var(--sunken);padding:10px 12px}
.unseen,.skip{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.skip:focus{clip-path:none;width:auto;height:auto;padding:8px;background:var(--raised)}
.wrap{width:100%;max-width:1120px;margin:0 auto;padding-left:24px;padding-right:24px}
.ok{color:var(--ok);font-weight:500}
.icon{width:16px;height:16px;vertical-align:-3px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;
  stroke-linejoin:round}
.icon.f{fill:currentColor;stroke:none}
`

const bar = `
.bar,footer{background:var(--app);border:solid var(--line2);border-width:0 0 1px}
.bar .wrap,.brand,.bar nav,.bar nav a,footer .wrap,footer a,.chips a,.button{display:flex;align-items:center}
.bar .wrap,.bar nav,footer ul{gap:0 24px}
.brand,.brand:hover{gap:8px;font-weight:600;color:var(--ink);text-decoration:none}
.brand svg{width:18px}
.bar nav{flex:1}
.bar nav a{min-height:56px;font-size:14px;font-weight:500;border:solid transparent;border-width:2px 0;margin-bottom:-1px;
  text-decoration:none}
.bar nav a[aria-current],.bar nav a:hover{color:var(--ink)}
.bar nav a[aria-current]{border-bottom-color:var(--accent)}
.search{position:relative}
.search .icon{position:absolute;left:10px;top:calc(50% - 8px);color:var(--ink3)}
.search input{padding-left:32px}
.bar .search{width:260px}
main{flex:1;padding-top:32px;padding-bottom:64px}
.wide>*+section{margin-top:40px}
.narrow,.paper{display:none}
footer{border-width:1px 0 0;padding:8px 0}
footer .wrap{justify-content:space-between;gap:0 32px;flex-wrap:wrap}
footer ul,.chips,.head,.title .row{display:flex;flex-wrap:wrap}
footer a{min-height:32px}
`

const lists = `
.head,.title .row{align-items:baseline;gap:4px 16px;margin-bottom:12px}
.chips{gap:8px}
.chips a{min-height:30px;padding:0 10px;border:1px solid var(--line2);background:var(--raised);text-decoration:none}
.chips a:hover{color:var(--ink);border-color:var(--control)}
.chips a[aria-current]{background:var(--tint);border-color:var(--tintline);color:var(--ink);font-weight:500}
.skill,.entry,.tile{position:relative;display:grid}
.skill{grid-template:auto auto/236px minmax(0,1fr) 174px 88px;column-gap:24px;padding:14px 0;
  grid-template-areas:'name what can date' 'name by can date'}
.skill,.entry{border-bottom:1px solid var(--line)}
.name{grid-area:name}
.name a{font-weight:600}
.what{grid-area:what;line-height:22px}
.meta{display:contents}
.by{grid-area:by}.can{grid-area:can}.date{grid-area:date;text-align:right}.date time{white-space:nowrap}
.size{display:block}
.pages{display:flex;justify-content:space-between;padding-top:16px}
.pages a{margin-left:20px}
.more{margin-top:12px;font-size:14px}
.entry{gap:4px;padding:20px 0;max-width:720px}
.pic{grid-template-columns:minmax(0,1fr) 160px;column-gap:24px}
.entry img{grid-area:1/2/4;width:160px;height:106px;object-fit:cover}
:is(.entry,.tile) :is(h2,h3) a{color:var(--ink)}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:32px 28px;padding-top:20px}
.tile{gap:4px;align-content:start}
.shot{order:-1;aspect-ratio:3/2;margin-bottom:8px;border:1px solid var(--line);overflow:hidden}
.shot img,.shots img{width:100%;height:100%;object-fit:cover}
.empty{padding:24px 0}
.empty,.hero,.text,.article,.prose{max-width:720px}
.hero h1,h2+.text{margin:8px 0}
`

const release = `
.release{display:grid;grid-template:auto auto 1fr/minmax(0,1fr) 320px;column-gap:56px;
  grid-template-areas:'head aside' 'body aside' 'body facts'}
.title{grid-area:head}.body{grid-area:body;margin-top:24px}.evidence{grid-area:aside}.facts{grid-area:facts}
.crumbs{color:var(--ink3);margin-bottom:12px}
.release h1{font-size:28px;line-height:36px;letter-spacing:-.01em}
aside section{padding-bottom:16px;margin-bottom:16px;border-bottom:1px solid var(--line2)}
.facts section:last-child{border:0}
aside h2{margin-bottom:8px}
aside p{margin-top:8px}
.box{display:block;font-size:12px;line-height:18px;overflow-wrap:anywhere;user-select:all}
p+.box,.box+p{margin-top:8px}
table{border-collapse:collapse;text-align:left}
aside table{width:100%}
aside :is(th,td){padding:4px 0;font-weight:400}
aside thead th,.no,dt,.example p{color:var(--ink3)}
aside td,aside th+th{text-align:right}
th .icon{margin-right:12px;color:var(--ink2)}
dl{display:grid;grid-template-columns:88px minmax(0,1fr);gap:6px 8px}
.body>section{margin-bottom:32px}
.body dl,.example{margin-top:8px}
dd,.example pre{white-space:pre-wrap;overflow-wrap:anywhere}
.example{display:grid;grid-template-columns:1fr 1fr;border:1px solid var(--line2)}
.example>div{padding:10px 12px;min-width:0}
.example>div+div{border-left:1px solid var(--line2)}
.example pre{max-height:420px;overflow:auto}
.reviews li{display:grid;grid-template-columns:72px 200px minmax(0,1fr);gap:0 16px;padding:8px 0;
  border-top:1px solid var(--line);margin-top:8px}
.note{padding:8px 12px;margin-bottom:16px;border:1px solid var(--tintline);background:var(--tint)}
.title .note{margin:12px 0 0}
`

const prose = `
.prose>*+*{margin-top:12px}
.prose>*+:is(h2,h3,h4,h5,h6){margin-top:28px}
.prose a,.text a,.crumbs a,.facts dd a,.links a{text-decoration:underline}
.prose :is(ul,ol),.errors ul,.empty ul{padding-left:24px}
.prose blockquote{padding-left:16px;border-left:3px solid var(--line2)}
hr{border:0;border-top:1px solid var(--line2)}
.prose table{display:block;overflow-x:auto}
.prose :is(th,td){padding:6px 16px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
[align=right]{text-align:right}
.article h1{margin-bottom:8px;text-wrap:balance}
.article .by{margin:12px 0 24px}
.cover,.shots{margin-bottom:28px}
.cover img{width:100%;border-radius:8px}
.article .chips,.links{margin-top:28px}
.links ul{margin-top:8px}
.shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:16px}
.shots img{aspect-ratio:3/2}
`

const forms = `
input,textarea{font:inherit;font-size:14px;color:var(--ink);background:var(--raised);border:1px solid var(--control);
  padding:6px 10px;min-height:36px;width:100%}
textarea{min-height:200px;resize:vertical}
input[type=file]{border:0;padding:4px 0;background:none}
::placeholder{color:var(--ink3);opacity:1}
.button{min-height:36px;padding:0 16px;border:0;background:var(--accent);color:var(--on);font:inherit;font-size:14px;
  font-weight:500;cursor:pointer}
.button:hover{background:var(--hover)}
.sheet,fieldset,.field,details>div{display:grid;gap:12px}
.sheet{max-width:640px;gap:24px;margin-top:24px}
.field{gap:4px}
label,legend{font-weight:500}
fieldset{border:0;min-width:0}
.wrong{color:var(--bad)}
[aria-invalid]{border-color:var(--bad)}
.errors{padding:12px 16px;border:1px solid var(--badline);background:var(--badtint)}
.two{display:grid;grid-template-columns:1fr 1.4fr;gap:8px}
.kept{display:flex;gap:12px;align-items:center}
.kept img{width:72px;height:48px;object-fit:cover}
.trap{position:absolute;left:-9999px}
summary{cursor:pointer;color:var(--accent)}
details[open]>summary{margin-bottom:12px}
`

const narrow = `
@media (max-width:839px){
.wrap{padding-left:16px;padding-right:16px}
.bar .search,.crumbs{display:none}
.bar .wrap,.bar nav{gap:16px}
.bar nav{justify-content:flex-end}
.narrow{display:block;margin:16px 0}
main{padding-top:24px}
input,textarea{font-size:16px}
input,.chips a,.button{min-height:44px}
.pages a,.more a,footer a,aside a,.reviews a,.links a{display:inline-flex;align-items:center;min-height:44px}
aside p a{display:inline;padding:12px 0}
.facts dl,.reviews li{align-items:center}
summary{padding:10px 0}
.skill{grid-template:auto/minmax(0,1fr) auto;grid-template-areas:'name date' 'what what' 'meta meta'}
.meta{grid-area:meta;display:flex;flex-wrap:wrap;gap:0 16px}
.size{display:inline;margin-left:16px}
:is(.skill,.entry,.tile) a::after{content:'';position:absolute;inset:0}
.release{display:block}
.evidence{margin-top:24px}
.example,.two{grid-template-columns:1fr}
.example>div+div{border-left:0;border-top:1px solid var(--line2)}
.reviews li{grid-template-columns:72px 1fr}
.reviews p{grid-column:1/3}
}
@media (max-width:480px){.pic{grid-template-columns:1fr}
.entry img{order:-1;grid-area:auto;width:100%;height:auto;aspect-ratio:3/2;margin-bottom:8px}}
@media (max-width:359px){.brand span{display:none}}
@media print{.bar nav,.search,.chips,footer ul{display:none}
.release{display:block}
.prose a::after{content:' (' attr(href) ')'}
.paper{display:block}
.example,.skill{break-inside:avoid}}
`

/** The minified rules without the fonts. No line break above replaces a significant space. */
const rules = [base, bar, lists, release, prose, forms, narrow].join('').replaceAll(/\n\s*/g, '')

export function makeStylesheet(fonts: readonly FontFile[]): string {
  const faces = fonts.map(
    ({ family, subset, file }) =>
      `@font-face{font-family:'${family}';font-display:optional;font-weight:400 700;` +
      `src:url(${file}) format('woff2');unicode-range:${ranges[subset]}}`,
  )
  const schemes = `:root{${variables(0)}}@media (prefers-color-scheme:dark){:root{${variables(1)}}}`
  return `${faces.join('')}${schemes}${rules}`
}

function make(tag,attributes={},...children){let made=document.createElement(tag);for(let[name,value]of Object.entries(attributes))
attribute(made,name,value);return made.append(...children),made}function attribute(target,name,value){value==null||value===!1&&!name.startsWith("aria-")?target.hasAttribute(name)&&target.
removeAttribute(name):target.getAttribute(name)!==String(value)&&target.setAttribute(name,String(value))}function oncePerFrame(draw){let asked=0,drawn=0;return{now(){return drawn?this.ask():(drawn=requestAnimationFrame(()=>drawn=
0),draw())},ask(){asked||=requestAnimationFrame(()=>{asked=0,draw()})},stop(){cancelAnimationFrame(asked),cancelAnimationFrame(
drawn),asked=drawn=0}}}var sheet;function styleSheet(){return sheet||(sheet=new CSSStyleSheet,sheet.replaceSync(`.palette,.open-palette{font:14\
px/1.4 var(--st-font);color:var(--st-text-color)}.palette{width:min(560px,calc(100vw - 32px));
margin:12vh auto auto;padding:8px;box-sizing:border-box;border-radius:10px;border:1px solid var(--st-border-color);backg\
round:var(--st-background-color);
box-shadow:0 12px 40px #0006}.palette::backdrop{background:#0005}.palette input{width:100%;box-sizing:border-box;padding\
:8px
10px;font:inherit;font-size:16px;color:inherit;border-radius:6px;border:1px solid var(--st-border-color);background:var(\
--st-secondary-background-color)}
.palette input:focus-visible,.open-palette:focus-visible{outline:2px solid var(--st-primary-color);outline-offset:1px}.p\
alette
[role=listbox]{max-height:52vh;overflow:auto;margin-top:6px}.palette [role=option]{display:flex;justify-content:space-be\
tween;
gap:12px;padding:5px 10px;border-radius:6px;cursor:pointer}.palette [role=option]:hover{background:var(--st-secondary-ba\
ckground-color)}
.palette [aria-selected=true]{background:var(--st-secondary-background-color);outline:2px solid var(--st-primary-color);\

outline-offset:-2px}.palette .none{margin:6px 10px}.palette .none:empty{display:none}.open-palette{display:flex;justify-\
content:space-between;
width:100%;min-height:32px;padding:4px 10px;cursor:pointer;background:var(--st-background-color);border:1px solid var(--\
st-border-color);
border-radius:8px}.open-palette kbd{font:inherit}.open-palette:hover{border-color:var(--st-primary-color)}@media(forced-\
colors:active){
.palette [aria-selected=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}}
`)),sheet}var MARK="queryscape";function wayToWrite(method,from,to,{steps,isByHand}){if(from.pathname!==to.pathname)return method;
let[before,after]=[from.searchParams,to.searchParams];if(method==="push"&&before.has("topic")&&!after.has("topic"))return"\
ignore";let changed=steps.filter(name=>String(before.getAll(name))!==String(after.getAll(name)));return(method==="push"?
changed.some(name=>before.has(name)&&after.has(name)):isByHand&&changed.length>0)?"push":"replace"}function watchAddress(steps,view=window){
let{history,location:location2}=view,write2={push:history.pushState.bind(history),replace:history.replaceState.bind(history)},
here=location2.href,isByHand=!1,isPassing=!1,note=()=>{isByHand=!0,isPassing=!1};for(let event of["pointerdown","keydown"])
view.addEventListener(event,note,{capture:!0,passive:!0});let over=method=>(state,title,address)=>{let to=new URL(address??
"",location2.href),from=new URL(location2.href),way=state?.[MARK]?method:wayToWrite(method,from,to,{steps,isByHand});way!==
"ignore"&&(way==="push"&&isPassing&&from.pathname!==to.pathname&&from.search===to.search&&(way="replace"),way==="push"&&
(isPassing=!0),write2[way]({...state,[MARK]:!0},title,to.href),here=to.href)};history.pushState=over("push"),history.replaceState=
over("replace"),write2.replace({...history.state,[MARK]:!0},"",here),view.addEventListener("popstate",event=>{isByHand=isPassing=
!1;let[from,to]=[new URL(here),new URL(location2.href)];!event.state?.[MARK]&&!to.hash&&from.pathname===to.pathname?(event.
stopImmediatePropagation(),write2.replace({[MARK]:!0},"",here)):here=to.href},{capture:!0})}function guidePlace(href){if(!href?.startsWith("?guide="))return null;let[search,heading=""]=href.split("#");return{name:new URLSearchParams(
search).get("guide")??"",heading}}function opensHere({button:button2,ctrlKey,metaKey,shiftKey,altKey,defaultPrevented}){
return!button2&&!ctrlKey&&!metaKey&&!shiftKey&&!altKey&&!defaultPrevented}var GuideLinks=class{constructor(go){this.go=go,
this.awaited=null}click(event){let place=guidePlace(event.target.closest?.("a[href]")?.getAttribute("href"));!place||!opensHere(
event)||(event.preventDefault(),event.stopPropagation(),this.awaited={...place,until:Date.now()+1e4},this.go(place.name))}arrive(){
if(!this.awaited||new URLSearchParams(location.search).get("guide")!==this.awaited.name)return;let{heading,until,isThere}=this.
awaited,target=heading?document.getElementById(heading):null;Date.now()>until?this.leave():(target||!heading)&&(isThere||
Object.assign(this.awaited,{isThere:!0,until:Date.now()+1e3}),target?target.scrollIntoView():document.querySelector("[da\
ta-testid=stMain]")?.scrollTo(0,0))}leave(){this.awaited=null}};var WHOLE=new Intl.NumberFormat("en-US",{maximumFractionDigits:0});function button(words,press,{kind="quiet",...attributes}={}){let made=make("button",{type:"button",class:kind,...attributes},
words);return made.addEventListener("click",event=>made.getAttribute("aria-disabled")!=="true"&&press(event)),made}var MOST_SHOWN=40;function matching(places,typed,most=MOST_SHOWN){let words=typed.toLowerCase().split(/\s+/).filter(Boolean),
textOf=({kind,title})=>`${title} ${kind}`.toLowerCase(),rank=text=>text.startsWith(words.join(" "))?0:words.every(word=>`\
 ${text}`.includes(` ${word}`))?1:2;return places.map(place=>({place,text:textOf(place)})).filter(({text})=>words.every(
word=>text.includes(word))).sort((a,b)=>rank(a.text)-rank(b.text)).slice(0,most).map(({place})=>place)}var Palette=class{constructor(root,go){
this.go=go,this.places=[],this.at=0,this.input=make("input",{type:"text",role:"combobox","aria-label":"Go to","aria-expa\
nded":"true","aria-controls":"places","aria-autocomplete":"list",autocomplete:"off",spellcheck:"false",placeholder:"Page\
, topic or version"}),this.list=make("div",{id:"places",role:"listbox","aria-label":"Places"}),this.none=make("p",{class:"\
none",role:"status"}),this.dialog=make("dialog",{class:"palette","aria-label":"Go to"},this.input,this.list,this.none),this.
input.addEventListener("input",()=>this.#show()),this.input.addEventListener("keydown",event=>this.#key(event)),this.dialog.
addEventListener("click",({target})=>target===this.dialog&&this.dialog.close()),root.append(this.dialog)}open(){this.dialog.
open||(this.input.value="",this.#show(),this.dialog.showModal(),this.input.focus())}#show(){let found=matching(this.places,
this.input.value);this.list.replaceChildren(...found.map((place,i)=>{let option=make("div",{id:`place-${i}`,role:"option"},
make("span",{},place.title),make("span",{class:"kind"},place.kind));return option.addEventListener("click",()=>this.#choose(
place)),option})),this.found=found,this.none.textContent=found.length?"":"No matches.",this.#move(0)}#move(to){let options=[
...this.list.children];this.at=Math.max(0,Math.min(to,options.length-1)),options.forEach((option,i)=>attribute(option,"a\
ria-selected",String(i===this.at))),attribute(this.input,"aria-activedescendant",options[this.at]?.id??null),options[this.
at]?.scrollIntoView({block:"nearest"})}#key(event){let to={ArrowDown:this.at+1,ArrowUp:this.at-1,PageDown:1/0,PageUp:0}[event.
key];if(to!==void 0)this.#move(to);else if(event.key==="Enter"&&this.found?.[this.at])this.#choose(this.found[this.at]);else
return;event.preventDefault()}#choose(place){this.dialog.close(),this.go(place)}};function paletteButton(open){return button(
"Go to …",open,{kind:"open-palette","aria-keyshortcuts":"Control+K"})}var LINKS=".st-key-navigation a[href], .st-key-views a[href]",palette=null,guide=null,opened={group:"",page:""},marking=oncePerFrame(
()=>{markLinks(opened),guide?.arrive()}),links=new MutationObserver(()=>marking.ask());function markLinks({group,page}){
for(let link of document.querySelectorAll(LINKS)){let isGroup=link.closest(".st-key-navigation")!==null,isOpen=link.querySelector(
"[data-testid=stMarkdownContainer]")?.textContent===(isGroup?group:page);attribute(link,"aria-current",isOpen?isGroup?"t\
rue":"page":null)}}function openOnKey(event){event.key.toLowerCase()!=="k"||!(event.ctrlKey||event.metaKey)||event.altKey||
event.shiftKey||(event.preventDefault(),palette?.open())}function followGuideLink(event){guide?.click(event)}function leaveGuideLink(){
guide?.leave()}function mountPalette(root,setStateValue){guide=new GuideLinks(name=>setStateValue("ask",{seq:Date.now(),
kind:"Guide",name})),document.addEventListener("click",followGuideLink,{capture:!0});for(let event of["wheel","pointerdo\
wn","keydown"])document.addEventListener(event,leaveGuideLink,{capture:!0,passive:!0});palette=new Palette(root,({kind,name})=>{
kind==="Action"?document.dispatchEvent(new CustomEvent(`queryscape-${name}`)):setStateValue("ask",{seq:Date.now(),kind,name})}),
document.addEventListener("keydown",openOnKey,{capture:!0})}function skipToEditor(event){event.target.closest?.("[data-t\
estid=stSkipToContent]")&&(document.dispatchEvent(new CustomEvent("queryscape-edit",{cancelable:!0}))||(event.preventDefault(),
event.stopPropagation()))}var navigation_default=({data,parentElement,setStateValue})=>{if(parentElement.adoptedStyleSheets=
[styleSheet()],data.part==="palette_button"){let opener=paletteButton(()=>palette?.open());opener.append(make("kbd",{},"\
Ctrl+K")),parentElement.replaceChildren(opener);return}return globalThis.queryscapeAddress||(globalThis.queryscapeAddress=
!0,watchAddress(data.steps),document.addEventListener("click",skipToEditor,{capture:!0})),palette?.dialog.isConnected||mountPalette(
parentElement,setStateValue),palette&&(palette.places=data.places),opened=data,links.observe(document.body,{childList:!0,
subtree:!0}),marking.ask(),()=>{links.disconnect(),marking.stop()}};export{navigation_default as default};

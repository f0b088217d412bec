function make(tag,attributes={},...children){let made=document.createElement(tag);for(let[name,value]of Object.entries(attributes))
attribute(made,name,value);return made.append(...children),made}function hit(event,selector){return event.target.closest?.(
selector)??null}function attribute(target,name,value){value==null||value===!1&&!name.startsWith("aria-")?target.hasAttribute(
name)&&target.removeAttribute(name):target.getAttribute(name)!==String(value)&&target.setAttribute(name,String(value))}function write(target,text){
target.textContent!==text&&(target.textContent=text)}function show(target,shown){target.hidden===shown&&(target.hidden=!shown)}function oncePerFrame(draw){let asked=0,drawn=0;return{now(){return drawn?this.ask():(drawn=requestAnimationFrame(()=>drawn=
0),draw())},ask(){asked||=requestAnimationFrame(()=>{asked=0,draw()})},stop(){cancelAnimationFrame(asked),cancelAnimationFrame(
drawn),asked=drawn=0}}}function contextOf(canvas,how={}){return canvas.getContext("2d",how)}var SVG="http://www.w3.org/2000/svg";function svgElement(tag,attributes={},text=""){let made=document.createElementNS(SVG,
tag);for(let[name,value]of Object.entries(attributes))made.setAttribute(name,value);return made.textContent=text,made}var AWAY=14;
function placeCard(px,py,wide,high,width,height){let x=px+AWAY+wide<=width?px+AWAY:px-AWAY-wide,y=py+AWAY+high<=height?py+
AWAY:py-AWAY-high,inside=(at,size,room)=>Math.round(Math.max(4,Math.min(at,room-size-4)));return{x:inside(x,wide,width),
y:inside(y,high,height)}}var WHOLE=new Intl.NumberFormat("en-US",{maximumFractionDigits:0});function count(n){return isNumber(n)?withMinus(WHOLE.
format(n)):"–"}function significant(number){if(!isNumber(number))return"–";let value=Number(number.toPrecision(7)),size=Math.
abs(value);return size>=99.95?count(number):size===0||size>=.09995&&size<=1?withMinus(value.toFixed(3)):withMinus(size<1e-4?
value.toExponential(2):value.toPrecision(3))}function interval(low,high){return isNumber(low)&&isNumber(high)?`${significant(
low)} to ${significant(high)}`:"–"}function countOf(n,one,many=`${one}s`){return`${count(n)} ${n===1?one:many}`}function betaIndex(beta){
return isNumber(beta)?withMinus(String(Number(beta.toPrecision(3)))):"β"}function doiAddress(doi){if(typeof doi!="strin\
g"||!/^10\./.test(doi))return null;try{return`https://doi.org/${encodeURI(doi).replace(/[?#]/g,encodeURIComponent)}`}catch{
return null}}function percentAlong(value){return`${Math.min(1,Math.max(0,value))*100}%`}function isNumber(value){return typeof value==
"number"&&Number.isFinite(value)}function topicTitle({topic,made_up:madeUp}){return madeUp&&!topic.endsWith("(made up)")?
`${topic} (demo data)`:topic}function withMinus(text){return text.replace(/-/g,"−")}function fixedThree(value){return Number.
isFinite(value)?value.toFixed(3).replace("-","−"):"–"}function fBetaName(beta){return`F${betaIndex(beta)}`}function signedCount(n){
return typeof n!="number"||!Number.isFinite(n)?"–":n===0?"±0":n>0?`+${count(n)}`:count(n)}function signedScore(change){
if(typeof change!="number"||!Number.isFinite(change))return"–";let text=Math.abs(change).toFixed(3);return Number(text)===
0?change===0?"±0":"≈0":`${change>0?"+":"−"}${text}`}function changeSince(before,after,signed){return typeof before!=
"number"||typeof after!="number"||before===after?"":signed(after-before)}function listedTitle(title,retracted){let known=title||"No title";return retracted&&!/^\W?retracted\b/i.test(known)?`Ret\
racted: ${known}`:known}var COPIED_MS=1600;function button(words,press,{kind="quiet",...attributes}={}){let made=make("button",{type:"button",class:kind,
...attributes},words);return made.addEventListener("click",event=>made.getAttribute("aria-disabled")!=="true"&&press(event)),
made}var DRAWN_FOR=new WeakMap;function setOptions(list,options){let key=JSON.stringify(options);DRAWN_FOR.get(list)!==key&&(DRAWN_FOR.set(list,key),list.
replaceChildren(...options.map(([value,words,title])=>make("option",{value,title},words))))}var Whisker=class{constructor(){this.range=make("span",{class:"range"}),this.at=make("span",{class:"at"}),this.element=make(
"div",{class:"whisker","aria-hidden":"true"},this.range,this.at)}set(value,ends){let known=typeof value=="number";show(this.
at,known),show(this.range,known&&!!ends),known&&(this.at.style.left=percentAlong(value)),!(!known||!ends)&&(this.range.style.
left=percentAlong(ends[0]),this.range.style.right=percentAlong(1-ends[1]))}};function numberCell(label,help){let[value,of,
change]=["value","of","change"].map(kind=>make("span",{class:kind})),[term,whisker]=[make("dt",{},label),new Whisker],data=make(
"dd",{},make("span",{class:"figures"},value,of,change),whisker.element);return{element:make("div",{class:"number-cell",title:help},
term,data),term,data,value,of,change,whisker,help}}var ICONS={lasso:"M8 3c-3 0-6 1.7-6 4s3 4 6 4 6-1.7 6-4-3-4-6-4ZM4.6 10c-1 .6-1.5 1.6-.7 2.4.7.7 1.7.5 1.9 1.6",home:"M2\
.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",reset:"M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.6v3.2h3.2",link:"M7 9l2-2M\
7 4.6l2-1.5a2.9 2.9 0 0 1 4 4l-1.6 1.6M9 11.4l-2 1.5a2.9 2.9 0 0 1-4-4l1.6-1.6"};function toolButton(label,icon){let drawing=svgElement(
"svg",{viewBox:"0 0 16 16",class:"icon","aria-hidden":"true"});return drawing.append(svgElement("path",{d:ICONS[icon]})),
make("button",{type:"button",class:"tool",title:label,"aria-label":label},drawing)}function copyLinkButton(){let button2=toolButton(
"Copy the link to this view","link"),status=make("span",{class:"status",role:"status"});return button2.append(status),button2.
addEventListener("click",async()=>{write(status,await copyText(location.href,button2)?"Copied":"Not copied"),setTimeout(
()=>write(status,""),COPIED_MS)}),button2}async function copyText(text,beside){try{return await navigator.clipboard.writeText(
text),!0}catch{let area=make("textarea",{"aria-hidden":"true",tabindex:"-1"});Object.assign(area.style,{position:"fixed",
opacity:"0"}),area.value=text,document.body.append(area),area.select();let copied=document.execCommand("copy");return area.
remove(),beside.focus(),copied}}var LOG_STEPS=1e3,Slider=class{constructor({name,testid=null,className=""},{input,rest}){
this.range=make("input",{type:"range","data-testid":testid,"data-setting":name}),this.name=make("span",{class:"slider-na\
me"}),this.output=make("output",{class:"slider-value"}),this.element=make("label",{class:`slider ${className}`},this.name,
this.range,this.output),this.scale={min:0,max:1,log:!1},this.byKey=!1,this.emitted=NaN,this.range.addEventListener("keyd\
own",()=>this.byKey=!0);for(let end of["keyup","pointerdown","blur"])this.range.addEventListener(end,()=>this.byKey=!1);
this.range.addEventListener("input",()=>input(this.read())),this.range.addEventListener("change",()=>rest(this.read(),this.
byKey))}describe({label,help,min=0,max=1,step,scale}){let log=scale==="log"&&min>0;this.scale={min,max,log},write(this.name,
label),attribute(this.element,"title",help),attribute(this.range,"min",log?0:min),attribute(this.range,"max",log?LOG_STEPS:
max),attribute(this.range,"step",log?1:step??"any")}set(value,text=significant(value),spoken=text){if(value!==this.emitted){
let position=String(this.#positionOf(value));this.range.value!==position&&(this.range.value=position),this.emitted=NaN}write(
this.output,text),attribute(this.range,"aria-valuetext",spoken),this.range.style.setProperty("--along",String(this.along))}get along(){
let{min,max,value}=this.range;return max>min?(Number(value)-Number(min))/(Number(max)-Number(min)):0}read(){let{min,max,
log}=this.scale,at=Number(this.range.value);return this.emitted=log?Number((min*(max/min)**(at/LOG_STEPS)).toPrecision(3)):
at,this.emitted}#positionOf(value){let{min,max,log}=this.scale;if(!log||!Number.isFinite(value))return value??min;let along=Math.
log(Math.max(value,min)/min)/Math.log(max/min);return Math.round(LOG_STEPS*Math.min(along,1))}},Foldout=class{constructor(opener,panel){
this.opener=opener,this.panel=panel,attribute(opener,"aria-expanded","false"),panel.hidden=!0,opener.addEventListener("c\
lick",()=>this.open(panel.hidden)),panel.addEventListener("keydown",event=>{event.key==="Escape"&&(this.open(!1),opener.
focus())}),this.closing=event=>this.#closeFromOutside(event),document.addEventListener("pointerdown",this.closing,!0)}open(isOpen){
show(this.panel,isOpen),attribute(this.opener,"aria-expanded",String(isOpen))}#closeFromOutside(event){let path=event.composedPath();
!this.panel.hidden&&!path.includes(this.panel)&&!path.includes(this.opener)&&this.open(!1)}destroy(){document.removeEventListener(
"pointerdown",this.closing,!0)}};var Part=class{constructor(root,store,python){this.root=root,this.store=store,this.python=python,this.leave=[]}listen(listeners){
for(let[event,listener]of Object.entries(listeners))this.leave.push(this.store.on(event,listener))}followTheme(look){this.
root.addEventListener("transitionend",({target,propertyName})=>{target===this.root&&propertyName==="background-color"&&look()})}destroy(){
this.leave.forEach(leave=>leave())}};var TYPES={f32:Float32Array,f64:Float64Array,u8:Uint8Array,i16:Int16Array,u16:Uint16Array,u32:Uint32Array};function unpack(bytes){
let view=new DataView(bytes.buffer,bytes.byteOffset,bytes.byteLength);if(bytes.byteLength<8||view.getUint32(0,!0)!==827347793)
throw new Error("not a Queryscape payload");let headerLength=view.getUint32(4,!0),header=JSON.parse(new TextDecoder().decode(
bytes.subarray(8,8+headerLength))),arrays={};for(let{name,type,length,offset}of header.arrays){let Type=TYPES[type],end=offset+
length*Type.BYTES_PER_ELEMENT;arrays[name]=Type===Uint8Array?bytes.subarray(offset,end):new Type(bytes.slice(offset,end).
buffer)}return{header,arrays}}function bitAt(bits,i){return bits[i>>3]>>7-(i&7)&1}var STORES=globalThis.queryscapeStores??=
new Map;function storeNamed(name){let store=STORES.get(name)??new Store;return STORES.set(name,store),store}var Store=class{constructor(){
this.payloads={points:new Map,regions:new Map,curve:new Map,corpus:new Map,overlay:new Map},this.current={points:null,regions:null,
curve:null,corpus:null,overlay:null},this.live={},this.scores=null,this.draft=null,this.before=null,this.picked=new Uint32Array(
0),this.focused=null,this.hovered=null,this.found=null,this.listed=null,this.anchors=new Map,this.places=new Map,this.commit=
()=>{},this.focusOn=()=>{},this.labs=null,this.closedHints=new Set,this.hintsRun=0,this.listeners=new Map}on(event,listener){
let listeners=this.listeners.get(event)??new Set;return this.listeners.set(event,listeners.add(listener)),()=>{listeners.
delete(listener)}}tell(event){for(let listener of this.listeners.get(event)??[])listener(this)}put(payload){let{kind,id}=payload.
header,kept=this.payloads[kind];kept.delete(id),kept.set(id,payload);for(let old of kept.keys()){if(kept.size<=2)break;old!==
this.current[kind]&&kept.delete(old)}this.tell("data")}use(ids){let before={...this.current};this.current={...before,...ids},
before.points!==ids.points&&(this.picked=new Uint32Array(0),this.focused=null,this.found=null),["points","regions","curv\
e"].some(kind=>before[kind]!==ids[kind])&&this.tell("data")}useOnly(kind,id=null){this.current[kind]!==id&&(this.current[kind]=
id,this.tell("data"))}get points(){return this.#currentOf("points")}get regions(){return this.#currentOf("regions")}get curve(){
return this.#currentOf("curve")}get corpus(){return this.#currentOf("corpus")}get overlay(){return this.#currentOf("over\
lay")}#currentOf(kind){return this.payloads[kind].get(this.current[kind]??"")??null}tune(patch){this.live={...this.live,
...patch},this.tell("live")}pick(rows){this.picked=Uint32Array.from(rows).sort(),this.tell("picked")}hover(kind){this.hovered!==
kind&&(this.hovered=kind,this.tell("hovered"))}focus(row){this.focused=row,this.tell("focus")}find(rows){this.found=rows,
this.tell("find")}list(filter){this.listed=filter,this.tell("list")}offerPlace(name,element){this.places.set(name,element),
this.tell("place")}withdrawPlace(name,element){this.places.get(name)===element&&this.places.delete(name)}anchor(name,element){
this.anchors.set(name,element),this.tell("anchor")}},TITLE_DECODER=new TextDecoder,TITLE_ENCODER=new TextEncoder,TITLES_OF=new WeakMap,
LINE_END=10,SHORTEST_FIND=2;function titlesOf(points){return TITLES_OF.has(points)||TITLES_OF.set(points,new Titles(points.
arrays.titles)),TITLES_OF.get(points)}var RETRACTED_OF=new WeakMap;function retractedOf(points){return RETRACTED_OF.has(
points)||RETRACTED_OF.set(points,new Set(points.header.retracted)),RETRACTED_OF.get(points)}var Titles=class{constructor(bytes){
this.bytes=bytes,this.starts=lineStarts(bytes),this.length=this.starts.length-1}title(row){return!Number.isInteger(row)||
row<0||row>=this.length?"":TITLE_DECODER.decode(this.bytes.subarray(this.starts[row],this.starts[row+1]-1))}find(text){let typed=text.
trim().normalize("NFC");if(typed.length<SHORTEST_FIND)return null;let rows=new Uint32Array(this.length);return rows.slice(
0,matchingRows(this.bytes,this.starts,needleOf(typed),rows))}};function lineStarts(bytes){let n=1;for(let i=0;i<bytes.length;i++)
bytes[i]===LINE_END&&n++;let starts=new Uint32Array(n+1);for(let i=0,line=1;i<bytes.length;i++)bytes[i]===LINE_END&&(starts[line++]=
i+1);return starts[n]=bytes.length+1,starts}function needleOf(text){let low=[],high=[];for(let letter of text){let lower=TITLE_ENCODER.
encode(letter.toLowerCase()),upper=TITLE_ENCODER.encode(letter.toUpperCase());low.push(...lower),high.push(...upper.length===
lower.length?upper:lower)}let last=low.length-1,moves=new Uint32Array(256).fill(low.length);for(let i=0;i<last;i++)moves[low[i]]=
moves[high[i]]=last-i;let onward=Math.min(moves[low[last]],moves[high[last]]);return moves[low[last]]=moves[high[last]]=
0,{low:Uint8Array.from(low),high:Uint8Array.from(high),moves,onward}}function matchingRows(bytes,starts,{low,high,moves,
onward},rows){let last=low.length-1,end=bytes.length,n=0,row=0,at=last;for(;at<end;){let move=moves[bytes[at]];if(move!==
0){at+=move;continue}let back=1;for(;back<=last&&(bytes[at-back]===low[last-back]||bytes[at-back]===high[last-back]);)back++;
if(back<=last){at+=onward;continue}for(;starts[row+1]<=at;)row++;rows[n++]=row,at=starts[row+1]+last}return n}function isDark(element){let background=getComputedStyle(element).getPropertyValue("--st-background-color").trim(),[r,g,
b]=channels(background||"#ffffff");return .2126*r+.7152*g+.0722*b<128}function roleColours(store,element){let header=store.
points?.header??store.corpus?.header;return header?.colours?header.colours[isDark(element)?"dark":"light"]:null}function channels(colour){
if(colour.startsWith("#")){let hex=colour.length===4?[...colour.slice(1)].map(c=>c+c).join(""):colour.slice(1);return[0,
2,4].map(at=>parseInt(hex.slice(at,at+2),16))}return(colour.match(/[\d.]+/g)??[255,255,255]).slice(0,3).map(Number)}var ROLES=[
"accent","relevant","core","core_edge","not_relevant","warning","selection","faint","grid"];function wearColours(root,store){
let colours=roleColours(store,root);if(colours)for(let role of ROLES)colours[role]&&root.style.setProperty(`--role-${role.
replace("_","-")}`,colours[role])}function pixelOf(colour){let[r,g,b]=channels(colour);return(4278190080|b<<16|g<<8|r)>>>
0}var sheet;function styleSheet(){return sheet||(sheet=new CSSStyleSheet,sheet.replaceSync(`.queryscape.landscape{--ink:\
 var(--st-text-color, #1f2328);--paper: var(--st-background-color, #ffffff);--tint: var(--st-secondary-background-color,\

#f4f5f7);--edge: var(--st-border-color, rgba(128, 132, 140, .28));--quiet: color-mix(in srgb, var(--ink) 66%, var(--pape\
r));
--accent: var(--st-primary-color, var(--role-accent, #0072b2));--glass: color-mix(in srgb, var(--paper) 90%, transparent\
);
--thumb: 16px;box-sizing:border-box;container:landscape / inline-size;display:flex;flex-direction:column;width:100%;min-\
height:360px;
color:var(--ink);background-color:var(--paper);transition:background-color 1ms;font:400 13px/1.4 var(--st-font, system-u\
i,
sans-serif);font-variant-numeric:tabular-nums}.queryscape.landscape *,.queryscape.landscape *:before,.queryscape.landsca\
pe
*:after{box-sizing:border-box}.queryscape.landscape p{margin:0}.queryscape.landscape :is(button,input,select){font:inher\
it;
font-variant-numeric:inherit;color:inherit;margin:0}.queryscape.landscape :focus-visible{outline:2px solid var(--accent)\
;
outline-offset:2px}.queryscape.landscape:not(.ready) :is(.strip,.readout,.stage-foot,.tools)>*{visibility:hidden}.querys\
cape.landscape:not(.ready)
.stage{background:linear-gradient(100deg,var(--tint) 40%,var(--paper) 50%,var(--tint) 60%) 0 0 / 300% 100%;animation:lan\
dscape-waits
2.4s linear infinite}.queryscape.landscape:not(.ready) .layer{visibility:hidden}.queryscape.landscape.ready.waiting .lay\
er{
opacity:.45}@keyframes landscape-waits{0%{background-position:120% 0}to{background-position:-60% 0}}@media(prefers-reduc\
ed-motion:reduce){
.queryscape.landscape:not(.ready) .stage{animation:none}}.queryscape.landscape .field{height:28px;padding:0 8px;border:1\
px
solid var(--edge);border-radius:7px;background:var(--paper)}.queryscape.landscape select.field{padding-right:4px;text-ov\
erflow:ellipsis;
cursor:pointer}.queryscape.landscape .field:hover{border-color:var(--quiet)}.queryscape.landscape .field::placeholder{co\
lor:var(--quiet);
opacity:1}.queryscape.landscape .quiet{height:28px;padding:0 11px;border:1px solid var(--edge);border-radius:7px;backgro\
und:var(--paper);
cursor:pointer;white-space:nowrap}.queryscape.landscape .quiet:hover{border-color:var(--accent);color:var(--accent)}.que\
ryscape.landscape
.icon{width:15px;height:15px;fill:none;stroke:currentColor;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}.\
queryscape.landscape
.strip{position:relative;display:flex;align-items:center;gap:14px;height:54px;flex:none;padding:0 2px}.queryscape.landsc\
ape
.strip-head{display:flex;flex-direction:column;gap:2px;flex:none;max-width:190px}.queryscape.landscape .strip-name{font-\
weight:600;
white-space:nowrap}.queryscape.landscape .strip-head .field{height:25px;max-width:172px;font-size:12px}.queryscape.lands\
cape
.strip-help{flex:1;color:var(--quiet);display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidd\
en}
.queryscape.landscape .strip-buttons{display:flex;gap:6px;margin-left:auto;flex:none}.queryscape.landscape .status{posit\
ion:absolute;
right:0;top:110%;padding:1px 8px;border-radius:4px;background:var(--st-text-color);color:var(--st-background-color);font\
-size:12px;
white-space:nowrap;pointer-events:none}.queryscape.landscape .status:empty{display:none}.queryscape.landscape .more:afte\
r{
content:"";display:inline-block;width:5px;height:5px;margin:0 0 2px 7px;border:solid currentColor;border-width:0 1.4px 1\
.4px
0;transform:rotate(45deg)}.queryscape.landscape .more[aria-expanded=true]:after{transform:rotate(225deg);margin-bottom:-\
1px}
.queryscape.landscape input[type=range]{-webkit-appearance:none;appearance:none;width:100%;height:18px;background:transp\
arent;
cursor:pointer;outline-offset:1px;border-radius:6px}.queryscape.landscape input[type=range]::-webkit-slider-runnable-tra\
ck{
height:3px;border-radius:2px;background:linear-gradient(to right,var(--accent) calc(var(--thumb) / 2 + (100% - var(--thu\
mb))
* var(--along, 0)),color-mix(in srgb,var(--ink) 20%,var(--paper)) 0)}.queryscape.landscape input[type=range]::-moz-range\
-track{
height:3px;border-radius:2px;background:color-mix(in srgb,var(--ink) 20%,var(--paper))}.queryscape.landscape input[type=\
range]::-moz-range-progress{
height:3px;border-radius:2px;background:var(--accent)}.queryscape.landscape input[type=range]::-webkit-slider-thumb{-web\
kit-appearance:none;
width:var(--thumb);height:var(--thumb);margin-top:calc((3px - var(--thumb)) / 2);border-radius:50%;background:var(--acce\
nt);
border:2.5px solid var(--paper);box-shadow:0 0 0 1px var(--accent)}.queryscape.landscape input[type=range]::-moz-range-t\
humb{
width:var(--thumb);height:var(--thumb);border-radius:50%;background:var(--accent);border:2.5px solid var(--paper);box-sh\
adow:0
0 0 1px var(--accent)}.queryscape.landscape input[type=range]:active::-webkit-slider-thumb{box-shadow:0 0 0 5px color-mi\
x(in
srgb,var(--accent) 25%,transparent)}.queryscape.landscape .slider{display:grid;grid-template-columns:1fr auto;column-gap\
:10px;
align-items:baseline}.queryscape.landscape .slider.stacked input{grid-column:1 / -1;grid-row:2}.queryscape.landscape .sl\
ider.wide{
flex:1;grid-template-columns:auto 1fr auto;align-items:center;column-gap:14px;min-width:0}.queryscape.landscape .slider.\
quantile{
flex:none;width:132px;font-size:12px}.queryscape.landscape .slider-name{color:var(--quiet);white-space:nowrap;overflow:h\
idden;
text-overflow:ellipsis}.queryscape.landscape .slider-value{text-align:right;font-weight:600}.queryscape.landscape .strip\
>
.slider-value{flex:none;min-width:3.4em;font-size:19px;font-weight:600;letter-spacing:-.01em}.queryscape.landscape .trac\
k{
position:relative;flex:1;min-width:90px;height:50px}.queryscape.landscape .sparkline{position:absolute;left:calc(var(--t\
humb)
/ 2);top:2px;width:calc(100% - var(--thumb));height:33px;overflow:visible}.queryscape.landscape .area.beyond{fill:var(--\
role-not-relevant,
#9aa0a6);opacity:.2;clip-path:inset(0 calc(100% - var(--along, 0) * 100%) 0 0)}.queryscape.landscape .area.within{fill:v\
ar(--role-relevant,
#0072b2);opacity:.28;clip-path:inset(0 0 0 calc(var(--along, 0) * 100%))}.queryscape.landscape .curve{fill:none;stroke:v\
ar(--role-relevant,
#0072b2);stroke-width:1.4;vector-effect:non-scaling-stroke;stroke-linejoin:round}.queryscape.landscape .needle{position:\
absolute;
top:0;height:35px;width:0;border-left:1.5px solid var(--accent);pointer-events:none;left:calc(var(--thumb) / 2 + (100% -\

var(--thumb)) * var(--along, 0) - .75px)}.queryscape.landscape .track input[type=range]{position:absolute;inset:0;height\
:50px}
.queryscape.landscape .track input[type=range]::-webkit-slider-runnable-track{margin-top:20px;background:color-mix(in sr\
gb,var(--ink)
20%,var(--paper))}.queryscape.landscape .track input[type=range]::-moz-range-track{margin-top:20px}.queryscape.landscape\

.ticks{position:absolute;inset:0;pointer-events:none;z-index:1}.queryscape.landscape .tick{position:absolute;top:41px;wi\
dth:24px;
height:24px;padding:0;border:0;background:none;pointer-events:auto;cursor:pointer;left:calc(var(--thumb) / 2 + (100% - v\
ar(--thumb))
* var(--along, 0) - 12px)}.queryscape.landscape .tick:before{content:"";position:absolute;left:8px;top:2px;border:solid \
transparent;
border-width:0 4px 6px;border-bottom-color:var(--quiet)}.queryscape.landscape .tick:hover:before{border-bottom-color:var\
(--accent)}
.queryscape.landscape.tuning{min-height:0;gap:14px;background:none}.queryscape.landscape.tuning .panel{position:static;w\
idth:auto;
padding:0;border:0;box-shadow:none;background:none}.queryscape.landscape.tuning .strip-buttons{margin:0}.queryscape.land\
scape
.decay-curve{margin:0 0 12px}.queryscape.landscape .decay-curve svg{display:block;width:100%;height:60px;border-bottom:1\
px
solid var(--edge);border-left:1px solid var(--edge)}.queryscape.landscape .decay-curve figcaption{font-size:12px;color:v\
ar(--quiet)}
.queryscape.landscape .decay-needle{stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke}.queryscape.l\
andscape
.panel{position:absolute;z-index:8;top:calc(100% - 4px);right:0;width:min(480px,100%);padding:14px 16px;border:1px solid\

var(--edge);border-radius:11px;background:var(--paper);box-shadow:0 10px 34px #0003}.queryscape.landscape .panel-title{f\
ont-weight:600;
margin-bottom:8px}.queryscape.landscape .panel-sliders{display:grid;grid-template-columns:1fr 1fr;gap:12px 26px}.querysc\
ape.landscape
.readout{display:flex;flex:none;align-items:baseline;gap:4px 20px;height:30px;padding:0 2px;white-space:nowrap;overflow:\
hidden}
.queryscape.landscape .readout.sentence{gap:4px 6px}.queryscape.landscape .readout-item{display:inline-flex;align-items:\
baseline;
gap:6px}.queryscape.landscape .sentence .readout-item{flex-direction:row-reverse}.queryscape.landscape .readout-name{col\
or:var(--quiet);
font-size:12.5px}.queryscape.landscape .readout-value{display:inline-block;min-width:5.4ch;font-weight:600;font-size:14p\
x}
.queryscape.landscape .sentence .readout-value{min-width:0}.queryscape.landscape .panel .readout-item{margin-top:8px}.qu\
eryscape.landscape
.stage{position:relative;flex:1;min-height:0;border:1px solid var(--edge);border-radius:11px;overflow:hidden}.queryscape\
.landscape
.layer{position:absolute;inset:0;width:100%;height:100%}.queryscape.landscape .lines{cursor:grab;touch-action:pan-y}.que\
ryscape.landscape
.lines:focus-visible{outline-offset:-3px;border-radius:10px}.queryscape.landscape .lines.dragging{cursor:grabbing}.query\
scape.landscape
.lines.lassoing{cursor:crosshair;touch-action:none}.queryscape.landscape .hand-layer{pointer-events:none}.queryscape.lan\
dscape
.lasso{fill:var(--role-selection, #b8860b);fill-opacity:.12;stroke:var(--role-selection, #b8860b);stroke-width:1.6;strok\
e-dasharray:5
4}.queryscape.landscape .hover-ring{fill:none;stroke:var(--ink);stroke-width:1.6}.queryscape.landscape .zoom-hint{positi\
on:absolute;
left:50%;top:50%;padding:7px 13px;border-radius:8px;background:var(--ink);color:var(--paper);font-weight:600;transform:t\
ranslate(-50%,-50%);
opacity:0;pointer-events:none;transition:opacity .2s}.queryscape.landscape .zoom-hint.on{opacity:.85}.queryscape.landsca\
pe
.stage-message{position:absolute;inset:0;display:flex;flex-direction:column;gap:14px;align-items:center;justify-content:\
center;
padding:24px;text-align:center;color:var(--quiet);background:var(--tint)}.queryscape.landscape .without-picture :is(.lay\
er,
.tools,.stage-foot){visibility:hidden}.queryscape.landscape .tools{position:absolute;top:10px;left:10px;right:10px;displ\
ay:flex;
justify-content:space-between;align-items:flex-start;gap:8px;pointer-events:none}.queryscape.landscape .tools :is(.field\
,
.tool,.note,label){pointer-events:auto}.queryscape.landscape .tools .field{background:var(--glass)}.queryscape.landscape\

.find-box{display:flex;flex-wrap:wrap;align-items:center;gap:6px;min-width:0}.queryscape.landscape .find{width:190px}.qu\
eryscape.landscape
.note{display:inline-flex;align-items:center;gap:4px;height:24px;padding:0 8px;border-radius:12px;background:var(--glass\
);
font-size:12.5px;white-space:nowrap}.queryscape.landscape .note.picked{box-shadow:inset 0 0 0 1.5px var(--role-selection\
,
#b8860b)}.queryscape.landscape .note.notice{box-shadow:inset 0 0 0 1.5px var(--role-warning, #e69f00);height:auto;white-\
space:normal}
.queryscape.landscape .note-clear{width:20px;height:20px;padding:0;border:0;border-radius:50%;background:none;cursor:poi\
nter;
font-size:15px;line-height:1}.queryscape.landscape .note-clear:hover{background:var(--tint)}.queryscape.landscape .tools\
-right{
display:flex;align-items:center;gap:4px;flex:none}.queryscape.landscape .colour-label{display:flex;align-items:center;ga\
p:6px;
margin-right:4px;padding-left:8px;border-radius:7px;background:var(--glass);font-size:12.5px;color:var(--quiet)}.querysc\
ape.landscape
.colour-by{color:var(--ink);width:96px}.queryscape.landscape .tool{position:relative;display:inline-grid;place-items:cen\
ter;
width:28px;height:28px;padding:0;border:1px solid var(--edge);border-radius:7px;background:var(--glass);cursor:pointer}.\
queryscape.landscape
.tool.words{width:auto;padding:0 7px;font-size:11.5px;font-weight:600}.queryscape.landscape .tool.more{grid-auto-flow:co\
lumn}
.queryscape.landscape .tool:hover{border-color:var(--accent);color:var(--accent)}.queryscape.landscape .tool[aria-presse\
d=true]{
border-color:var(--accent);color:var(--accent);background:color-mix(in srgb,var(--accent) 14%,var(--paper))}.queryscape.\
landscape
.menu{position:absolute;z-index:6;top:34px;right:0;display:flex;flex-direction:column;padding:5px;border:1px solid var(-\
-edge);
border-radius:9px;background:var(--paper);box-shadow:0 6px 22px #0000002e;pointer-events:auto}.queryscape.landscape .men\
u-entry{
display:flex;align-items:center;gap:7px;min-height:30px;padding:0 9px;border:0;border-radius:6px;background:none;text-al\
ign:left;
white-space:nowrap;cursor:pointer}.queryscape.landscape .menu-entry:hover{background:var(--tint)}.queryscape.landscape .\
stage-foot{
position:absolute;left:8px;right:10px;bottom:7px;display:flex;align-items:flex-end;justify-content:space-between;flex-wr\
ap:wrap;
gap:2px 14px;pointer-events:none}.queryscape.landscape .legend{display:flex;flex-wrap:wrap;align-items:center;gap:1px;po\
inter-events:auto;
border-radius:7px;background:var(--glass)}.queryscape.landscape .legend-entry{display:inline-flex;align-items:center;gap\
:4px;
height:24px;padding:0 7px 0 4px;border:0;border-radius:6px;background:none;font-size:12px;white-space:nowrap;cursor:poin\
ter}
.queryscape.landscape .legend-entry:hover{background:var(--tint)}.queryscape.landscape .legend-entry[aria-pressed=false]\
{
color:var(--quiet);text-decoration:line-through}.queryscape.landscape .legend-entry[aria-pressed=false] .legend-icon{opa\
city:.3}
.queryscape.landscape .legend-icon{width:16px;height:16px;flex:none}.queryscape.landscape .legend-key{flex:0 0 auto;max-\
width:100%;
display:flex;align-items:center;gap:6px 9px;min-height:24px;padding:0 8px;border-radius:6px;background:var(--glass);font\
-size:12px;
flex-wrap:wrap}.queryscape.landscape .key-title{font-weight:600}.queryscape.landscape .key-ramp{width:110px;height:9px;b\
order-radius:3px}
.queryscape.landscape .key-name{display:inline-flex;align-items:center;gap:4px;max-width:130px;white-space:nowrap;overfl\
ow:hidden}
.queryscape.landscape .key-dot{width:9px;height:9px;border-radius:50%;flex:none}.queryscape.landscape .caption{font-size\
:11px;
line-height:1.3;color:var(--quiet);text-align:right;max-width:300px;padding:2px 6px;border-radius:6px;background:var(--g\
lass)}
.queryscape.landscape .badge{margin-right:6px;padding:0 6px;border-radius:8px;border:1px solid var(--role-warning, #e69f\
00);
font-weight:600;white-space:nowrap}.queryscape.landscape .hover-card{position:absolute;z-index:5;left:0;top:0;width:max-\
content;
max-width:min(320px,calc(100% - 8px));padding:9px 12px;border:1px solid var(--edge);border-radius:9px;background:var(--p\
aper);
box-shadow:0 6px 22px #0000002e;pointer-events:none}.queryscape.landscape .card-title{font-weight:600;line-height:1.3;di\
splay:-webkit-box;
-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.queryscape.landscape .card-facts{margin-top:3px;font-s\
ize:12px;
color:var(--quiet)}.queryscape.landscape .card-why{margin-top:3px;font-size:12px}.queryscape.landscape .how-to-read{flex\
:none;
height:24px;padding:4px 2px 0;font-size:12px;color:var(--quiet);white-space:nowrap;overflow:hidden;text-overflow:ellipsi\
s}
@container landscape (max-width: 940px){.queryscape.landscape .stage-foot{flex-direction:column;align-items:stretch}.que\
ryscape.landscape
.caption{order:-1;max-width:none;text-align:left;background:none;padding:0 4px}}@container landscape (max-width: 860px){\

.queryscape.landscape .readout:not(.sentence){height:42px;justify-content:space-between;gap:10px}.queryscape.landscape .\
readout:not(.sentence)
.readout-item{flex-direction:column;gap:0}.queryscape.landscape .readout-name{font-size:11.5px}}@container landscape (ma\
x-width:
680px){.queryscape.landscape .only-wide{display:none}.queryscape.landscape .find{width:150px}.queryscape.landscape .stri\
p{
gap:10px}.queryscape.landscape .strip-head .field{max-width:132px}.queryscape.landscape .legend-entry{padding:0 5px 0 2p\
x;
font-size:11.5px;gap:2px}.queryscape.landscape .readout-name{font-size:11px}.queryscape.landscape .readout-value{font-si\
ze:13px}}
@container landscape (max-width: 480px){.queryscape.landscape .strip{flex-wrap:wrap;height:auto;row-gap:4px}.queryscape.\
landscape
.strip>:is(.track,.slider.wide,.strip-help){order:1;flex:1 0 100%}.queryscape.landscape .find{min-width:0}}.queryscape [\
hidden]{display:none!important}.queryscape .unseen{position:absolute;width:1px;height:1px;padding:0;border:0;
overflow:hidden;clip-path:inset(50%);white-space:nowrap}.queryscape:is(.scores,.table,.record){--ink: var(--st-text-colo\
r,
#262a33);--paper: var(--st-background-color, #ffffff);--accent: var(--st-primary-color, #2f6fd0);--faint: color-mix(in s\
rgb,
var(--ink) 66%, var(--paper));--line: color-mix(in srgb, var(--ink) 14%, var(--paper));--wash: color-mix(in srgb, var(--\
ink)
4%, var(--paper));--relevant: var(--role-relevant, #0072b2);--core: var(--role-core, #d55e00);--grey: var(--role-not-rel\
evant,
#9aa1ab);--warning: var(--role-warning, #e69f00);color:var(--ink);font:400 13px/20px var(--st-font, "Source Sans", "Sour\
\\
ce Sans 3", system-ui, sans-serif);font-variant-numeric:tabular-nums}.queryscape:is(.scores,.table,.record){container-ty\
pe:inline-size}
.queryscape:is(.scores,.table,.record) *{box-sizing:border-box}.queryscape:is(.scores,.table,.record) :is(h2,h3,p,ul,ol,\

dl){margin:0;padding:0;list-style:none}.queryscape:is(.scores,.table,.record) :is(button,input){font:inherit;color:inher\
it}
.queryscape:is(.scores,.table,.record) :focus-visible{outline:2px solid var(--accent);outline-offset:1px}.queryscape:is(\
.scores,
.table,.record) a{color:var(--accent);text-decoration:none}.queryscape:is(.scores,.table,.record) a:hover{text-decoratio\
n:underline}
.queryscape:is(.scores,.table,.record) :is(.quiet,.primary){height:28px;padding:0 12px;border:1px solid var(--line);bord\
er-radius:6px;
background:none;cursor:pointer;white-space:nowrap;transition:border-color .12s,background-color .12s}.queryscape:is(.sco\
res,
.table,.record) .quiet:hover:enabled{border-color:var(--accent);color:var(--accent)}.queryscape:is(.scores,.table,.recor\
d)
button:disabled{opacity:.5;cursor:default}.queryscape:is(.scores,.table,.record) .link{padding:0 2px;border:0;border-rad\
ius:4px;
background:none;color:var(--accent);cursor:pointer}.queryscape:is(.scores,.table,.record) .link:hover{text-decoration:un\
derline}
.queryscape:is(.table,.record) .mark{display:inline-block;flex:none;width:10px;height:10px;border:2px solid transparent;\

border-radius:50%}.queryscape:is(.table,.record) .mark.relevant{border-color:var(--relevant);background:var(--relevant)}\

.queryscape:is(.table,.record) .mark.outside{border:3.5px solid transparent;background:var(--grey) padding-box}.querysca\
pe:is(.table,
.record) .mark.undefined{height:2px;border:0;border-radius:1px;background:var(--line)}.queryscape:is(.table,.record) .ma\
rk.plain{
border-color:var(--grey);background:var(--grey)}.queryscape:is(.table,.record) .mark.absent{border-color:var(--grey)}.qu\
eryscape:is(.table,
.record) .mark.core-found{border-color:var(--core);background:var(--core)}.queryscape:is(.table,.record) .mark.core-miss\
ed{
border-color:var(--core)}@keyframes queryscape-shimmer{0%{background-position:150% 0}to{background-position:-50% 0}}.que\
ryscape.scores
.waiting,.queryscape.table[aria-busy=true] .grid-space:before,.queryscape.record [aria-busy=true] :is(.abstract,.why,.ne\
arest){
--shine: color-mix(in srgb, var(--ink) 10%, transparent);background:linear-gradient(100deg,transparent 35%,var(--shine) \
50%,transparent
65%) color-mix(in srgb,var(--ink) 7%,var(--paper));background-size:200% 100%;animation:queryscape-shimmer 1.8s linear in\
finite}
.queryscape.table[aria-busy=true] .grid-space:before{mask:repeating-linear-gradient(#000 0 14px,transparent 14px 32px)}.\
queryscape.record
[aria-busy=true] .abstract{mask:repeating-linear-gradient(#000 0 12px,transparent 12px 20px)}.queryscape.record [aria-bu\
sy=true]
:is(.why,.nearest){mask:repeating-linear-gradient(#000 0 14px,transparent 14px 28px)}.queryscape.scores .strip{display:f\
lex;
align-items:stretch;border-block:1px solid var(--line)}.queryscape.scores .numbers{display:grid;flex:1;grid-template-col\
umns:repeat(4,minmax(0,1fr));
margin:0}.queryscape.scores .number-cell{min-width:0;height:58px;padding:5px 12px}.queryscape.scores .number-cell:first-\
child{
padding-left:2px}.queryscape.scores .number-cell+.number-cell{border-left:1px solid var(--line)}.queryscape.scores dt{ov\
erflow:hidden;
color:var(--faint);font-size:12px;line-height:15px;white-space:nowrap;text-overflow:ellipsis}.queryscape.scores dd{margi\
n:0}
.queryscape.scores .figures{display:flex;align-items:baseline;gap:6px;height:26px;line-height:26px;white-space:nowrap}.q\
ueryscape.scores
.number-cell .value{font-size:20px}.queryscape.scores button.value{min-height:24px;padding:0;border:0;background:none;te\
xt-decoration:underline
dotted 1px;text-underline-offset:4px;cursor:pointer}.queryscape.scores button.value[aria-disabled=true]{text-decoration:\
none;
cursor:default}.queryscape.scores .of{overflow:hidden;color:var(--faint);font-size:12px;text-overflow:ellipsis}.querysca\
pe.scores
.change{color:var(--faint);font-size:12px;font-weight:600}.queryscape.scores .strip.degenerate .number-cell:nth-child(n+\
3)
.value{color:var(--faint);text-decoration:line-through 1.5px}.queryscape.scores .side{display:flex;flex:none;flex-wrap:w\
rap;
align-content:center;align-items:center;gap:6px 10px;padding-left:12px;border-left:1px solid var(--line);font-size:12px;\

color:var(--faint)}.queryscape.scores .measured{display:flex;align-items:center;gap:7px}.queryscape.scores .measured[hid\
den]{
display:none}.queryscape.scores .side .field{height:28px;padding:0 4px 0 8px;border:1px solid var(--line);border-radius:\
6px;
background:var(--paper);color:var(--ink);font:inherit}.queryscape.scores .cards{margin-top:8px}.queryscape.scores .cards\
[hidden]{
display:none}.queryscape.scores .cards{display:grid;grid-template-columns:minmax(0,1.5fr) repeat(var(--n, 5),minmax(0,1f\
r));
gap:8px}.queryscape.scores .regions{display:contents}.queryscape.scores .card{position:relative;height:104px;padding:9px\

11px 8px;overflow:hidden;border:1px solid var(--line);border-radius:8px;background:var(--paper);transition:border-color \
.12s,background-color
.12s}.queryscape.scores .card[role=radio]{cursor:pointer}.queryscape.scores .card[role=radio]:hover{border-color:color-m\
ix(in
srgb,var(--ink) 36%,var(--paper))}.queryscape.scores .card[aria-checked=true],.queryscape.scores .card[aria-checked=true\
]:hover{
border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);background:color-mix(in srgb,var(--accent) 5%,var(--\
paper))}
.queryscape.scores .head{display:flex;align-items:center;gap:6px;height:16px;line-height:16px}.queryscape.scores .label{\

overflow:hidden;font-size:12px;font-weight:600;color:var(--faint);white-space:nowrap;text-overflow:ellipsis}.queryscape.\
scores
[aria-checked=true] .label{color:var(--ink)}.queryscape.scores .main{display:flex;align-items:baseline;gap:6px;height:30\
px;
line-height:30px}.queryscape.scores .value{font-size:24px;font-weight:600;letter-spacing:-.01em}.queryscape.scores .beta\
{
font-size:12px;color:var(--faint)}.queryscape.scores .beta sub{font-size:9px;line-height:0}.queryscape.scores .undefined\

.value{color:var(--faint);font-weight:400}.queryscape.scores .degenerate .value{color:var(--faint);text-decoration:line-\
through;
text-decoration-thickness:1.5px}.queryscape.scores .waiting{align-self:center;width:100%;padding:0 8px;border-radius:4px\
;
overflow:hidden;font-size:12px;line-height:22px;color:var(--faint);white-space:nowrap;text-overflow:ellipsis}.queryscape\
.scores
.whisker{position:relative;height:8px;margin-bottom:4px}.queryscape.scores .whisker:before{content:"";position:absolute;\

inset:3px 0;border-radius:1px;background:var(--line)}.queryscape.scores .whisker .range{position:absolute;top:3px;height\
:2px;
min-width:2px;border-radius:1px;background:color-mix(in srgb,var(--ink) 55%,var(--paper))}.queryscape.scores .whisker .a\
t{
position:absolute;top:0;width:3px;height:8px;margin-left:-1.5px;border-radius:1.5px;background:var(--ink)}.queryscape.sc\
ores
.degenerate .whisker{opacity:.4}.queryscape.scores .small{display:flex;justify-content:flex-start;gap:0;height:14px;over\
flow:hidden;
font-size:11px;line-height:14px;color:var(--faint);white-space:nowrap}.queryscape.scores .small span{overflow:hidden;tex\
t-overflow:ellipsis}
.queryscape.scores .small span+span{flex:none}.queryscape.scores .small [data-filter]{cursor:pointer;text-decoration:und\
erline
dotted;text-underline-offset:2px}.queryscape.scores .small span+span:before{content:"·";padding:0 4px}.queryscape.scores\

.undefined .reason{height:28px;white-space:normal}.queryscape.scores .undefined .reason span{display:-webkit-box;-webkit\
-box-orient:vertical;
-webkit-line-clamp:2}.queryscape.scores .live-dot{display:none;flex:none;width:6px;height:6px;border-radius:50%;backgrou\
nd:var(--accent)}
.queryscape.scores .live .live-dot{display:block}.queryscape.scores .live .value{color:var(--accent)}.queryscape.scores \
.notes{
display:flex;align-items:center;justify-content:space-between;gap:16px;height:24px;padding:0 2px;font-size:12px;color:va\
r(--faint)}
.queryscape.scores .notes[hidden]{display:none}.queryscape.scores .warning{display:flex;align-items:center;gap:6px;min-w\
idth:0}
.queryscape.scores .warning-text{overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:var(--ink)}.queryscape.\
scores
.warning-icon{flex:none;width:14px;height:13px;background:var(--warning);clip-path:path("M7 0.5 L14 13 L0 13 Z M6.2 4.8 \
\\
L6.4 9 L7.6 9 L7.8 4.8 Z M6.2 10 L6.2 11.6 L7.8 11.6 L7.8 10 Z")}.queryscape.scores :is(.link,.unscorable){flex:none;whi\
te-space:nowrap}
.queryscape.scores .unscorable{margin-left:auto}.queryscape.scores .warnings{padding:0 2px 4px 22px;font-size:12px;line-\
height:18px}
@container (max-width: 960px){.queryscape.scores .numbers{grid-template-columns:1fr .95fr 1.3fr 1.15fr}.queryscape.score\
s
.cards{grid-template-columns:repeat(auto-fit,minmax(104px,1fr));gap:6px}.queryscape.scores .card{height:84px;padding:7px\

9px}.queryscape.scores .value{font-size:21px}.queryscape.scores .small+.small,.queryscape.scores .small span+span{displa\
y:none}
.queryscape.scores .undefined .reason{height:14px;white-space:nowrap}.queryscape.scores .undefined .reason span{display:\
block}}
@container (max-width: 720px){.queryscape.scores .strip{flex-direction:column}.queryscape.scores .numbers{grid-template-\
columns:repeat(2,minmax(0,1fr))}
.queryscape.scores .number-cell:nth-child(odd){padding-left:2px;border-left:0}.queryscape.scores .number-cell:nth-child(\
n+3){
border-top:1px solid var(--line)}.queryscape.scores .side{padding:6px 2px;border-left:0;border-top:1px solid var(--line)\
}}
@container (max-width: 480px){.queryscape.scores .cards{grid-template-columns:repeat(2,minmax(0,1fr))}}.queryscape.table\
{
--w-pick: 36px;--w-rank: 64px;--w-title: minmax(0, 1fr);--w-year: 56px;--w-similarity: 88px;--w-region: 44px;--w-core: 4\
8px;
--w-sources: 80px;--w-doi: 160px;display:flex;flex-direction:column;height:420px}.queryscape.table .bar{display:flex;fle\
x-wrap:wrap;
align-items:center;gap:8px;padding-bottom:8px}.queryscape.table .field{flex:1 1 180px;max-width:280px;height:28px;paddin\
g:0
10px;border:1px solid var(--line);border-radius:6px;background:var(--paper)}.queryscape.table .field::placeholder{color:\
var(--faint);
opacity:1}.queryscape.table .chips{display:flex;flex-wrap:wrap;gap:4px;margin-right:auto}.queryscape.table .chip{display\
:flex;
align-items:center;gap:6px;height:28px;padding:0 10px;border:1px solid var(--line);border-radius:14px;background:none;cu\
rsor:pointer;
white-space:nowrap;transition:border-color .12s}.queryscape.table .chip:hover:enabled{border-color:var(--accent)}.querys\
cape.table
.chip .number{font-size:12px;color:var(--faint)}.queryscape.table .chip[aria-pressed=true]{border-color:var(--accent);ba\
ckground:color-mix(in
srgb,var(--accent) 10%,var(--paper));font-weight:600}.queryscape.table .grid-frame{position:relative;flex:1;min-height:0\
;
border:1px solid var(--line);border-radius:8px;overflow:hidden}.queryscape.table .grid{position:absolute;inset:0;overflo\
w:auto;
scrollbar-width:thin}.queryscape.table .grid:focus-visible{outline-offset:-2px;border-radius:8px}.queryscape.table .grid\
-head{
position:sticky;z-index:1;top:0;display:grid;grid-template-columns:var(--columns);height:32px;border-bottom:1px solid va\
r(--line);
background:var(--wash);font-size:12px;color:var(--faint)}.queryscape.table .grid-space{position:relative}.queryscape.tab\
le[aria-busy=true]
.grid-space:before{content:"";position:absolute;inset:9px 12px;height:320px}.queryscape.table .line{position:absolute;to\
p:0;
left:0;right:0;display:grid;grid-template-columns:var(--columns);height:32px;border-bottom:1px solid color-mix(in srgb,v\
ar(--line)
60%,transparent);font-size:14px;cursor:pointer;contain:strict}.queryscape.table .line:hover{background:var(--wash)}.quer\
yscape.table
.line[aria-selected=true]{background:color-mix(in srgb,var(--accent) 7%,var(--paper))}.queryscape.table .line.focused{ba\
ckground:color-mix(in
srgb,var(--accent) 14%,var(--paper));box-shadow:inset 3px 0 0 var(--accent)}.queryscape.table .grid:focus-visible .line.\
active{
outline:2px solid var(--accent);outline-offset:-2px}.queryscape.table .cell{min-width:0;padding:0 8px;overflow:hidden;li\
ne-height:31px;
white-space:nowrap;text-overflow:ellipsis}.queryscape.table .cell:is(.rank,.year,.similarity,.sources){text-align:right}\

.queryscape.table .grid-head .cell{display:flex;align-items:center}.queryscape.table .grid-head .cell:is(.rank,.year,.si\
milarity,
.sources){justify-content:end}.queryscape.table .cell:is(.region,.core,.pick){display:flex;align-items:center;justify-co\
ntent:center;
padding:0}.queryscape.table .line .cell:is(.rank,.year,.sources){color:var(--faint)}.queryscape.table .line .cell.retrac\
ted{
box-shadow:inset 3px 0 var(--warning)}.queryscape.table .sort{position:relative;height:24px;padding:0 4px;margin:0 -4px;\

border:0;border-radius:4px;background:none;line-height:24px;cursor:pointer}.queryscape.table .region .sort,.queryscape.t\
able
.core .sort{margin:0}.queryscape.table .sort:hover{color:var(--accent)}.queryscape.table [aria-sort$=ending] .sort{color\
:var(--ink);
font-weight:600}.queryscape.table [aria-sort$=ending] .sort:after{position:absolute;left:calc(100% - 4px);font-size:10px\
}
.queryscape.table [aria-sort=ascending] .sort:after{content:"↑"}.queryscape.table [aria-sort=descending] .sort:after{con\
tent:"\\
↓"}.queryscape.table .tick{width:14px;height:14px;border:1.5px solid var(--grey);border-radius:4px}.queryscape.table .li\
ne:hover
.tick{border-color:var(--accent)}.queryscape.table .pick.on .tick{position:relative;border-color:var(--accent);backgroun\
d:var(--accent)}
.queryscape.table .pick.on .tick:after{content:"";position:absolute;left:3px;top:0;width:3px;height:6px;border:solid var\
(--paper);
border-width:0 2px 2px 0;transform:rotate(45deg)}.queryscape.table .empty{position:absolute;inset:33px 0 0;display:grid;\

place-content:center;padding:16px;text-align:center;color:var(--faint)}.queryscape.table .foot{display:flex;align-items:\
center;
gap:16px;height:28px;padding:0 2px;font-size:12px;color:var(--faint);white-space:nowrap}.queryscape.table .picked-note{d\
isplay:flex;
gap:8px}.queryscape.table .beyond{margin-left:auto}@container (max-width: 900px){.queryscape.table .grid{--w-sources: 76\
px;
--w-similarity: 84px;--w-doi: 48px}.queryscape.table .doi a{font-size:0}.queryscape.table .doi a[href]:before{content:"↗\
";
padding:0 6px;font-size:14px}.queryscape.table .bar .field{max-width:none}.queryscape.table .chips{order:1;flex-basis:10\
0%}}
@container (max-width: 760px){.queryscape.table .grid{--w-pick: 30px;--w-rank: 52px;--w-year: 48px;--w-similarity: 76px;\

--w-region: 34px;--w-core: 40px;--w-sources: 68px;--w-doi: 40px}.queryscape.table .cell{padding:0 6px}.queryscape.table \
.grid-head{
font-size:11px}}@container (max-width: 600px){.queryscape.table :is(.grid-head,.grid-space){min-width:640px}.queryscape.\
scores
.recall .small{font-size:10px}}.queryscape.record{height:var(--record-height, 560px);font-size:14px}.queryscape.record .\
frame{
height:100%;overflow:hidden;border:1px solid var(--line);border-radius:8px;background:var(--paper)}.queryscape.record .h\
int{
display:grid;place-content:center;height:100%;padding:24px;text-align:center;color:var(--faint)}.queryscape.record .core\
-list{
height:100%;padding:12px 8px 8px;overflow-y:auto;scrollbar-width:thin}.queryscape.record .core-heading{margin:0 8px;font\
-size:14px;
font-weight:600;line-height:20px}.queryscape.record .core-note{margin:0 8px 8px;font-size:12px;line-height:16px;color:va\
r(--faint)}
.queryscape.record .core-items button{display:grid;grid-template-columns:14px 1fr;column-gap:8px;width:100%;padding:5px \
8px;
border:0;border-radius:6px;background:none;text-align:start;cursor:pointer;align-items:start}.queryscape.record .core-it\
ems
button:hover:enabled{background:var(--wash)}.queryscape.record .core-items button:disabled{opacity:1;cursor:default}.que\
ryscape.record
.core-items button:focus-visible{outline-offset:-2px}.queryscape.record .core-items .mark{margin-top:5px}.queryscape.rec\
ord
.core-title{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:13px;line-hei\
ght:17px}
.queryscape.record .core-about{grid-column:2;font-size:12px;line-height:16px;color:var(--faint);font-variant-numeric:tab\
ular-nums}
.queryscape.record .record-body{height:100%;padding:12px 16px 16px;overflow-y:auto;scrollbar-width:thin}.queryscape.reco\
rd
.top{display:flex;align-items:center;gap:6px;height:24px;font-size:12px;color:var(--faint)}.queryscape.record .role{font\
-weight:600;
color:var(--ink)}.queryscape.record .role+span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.queryscape.rec\
ord
.close{flex:none;width:24px;height:24px;margin:0 -6px 0 auto;padding:0;border:0;border-radius:6px;background:none;font-s\
ize:18px;
line-height:22px;color:var(--faint);cursor:pointer}.queryscape.record .close:hover{background:var(--wash);color:var(--in\
k)}
.queryscape.record .title{margin:4px 0;font-size:16px;font-weight:600;line-height:22px;overflow-wrap:anywhere}.queryscap\
e.record
.meta{display:flex;flex-wrap:wrap;column-gap:12px;min-height:20px;color:var(--faint)}.queryscape.record .meta :empty{dis\
play:none}
.queryscape.record .meta a{overflow:hidden;max-width:100%;white-space:nowrap;text-overflow:ellipsis}.queryscape.record .\
part{
margin-top:12px}.queryscape.record .retracted-note{width:fit-content;margin-top:4px;padding:0 8px;border:1px solid var(-\
-warning);
border-radius:6px;font-size:12px;font-weight:600;line-height:20px}.queryscape.record .facts{margin:0}.queryscape.record \
.facts>
div{display:grid;grid-template-columns:112px minmax(0,1fr);column-gap:8px;padding:2px 0}.queryscape.record .facts dt{col\
or:var(--faint)}
.queryscape.record .facts dd{margin:0;overflow-wrap:anywhere}@container (max-width: 360px){.queryscape.record .facts>div\
{
grid-template-columns:minmax(0,1fr)}}.queryscape.record h3{margin-bottom:4px;font-size:12px;font-weight:600;line-height:\
16px;
color:var(--faint)}.queryscape.record .abstract{max-height:240px;overflow-y:auto;overflow-wrap:anywhere;scrollbar-width:\
thin}
.queryscape.record .abstract.clamped{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:6;overflow:hidde\
n}
.queryscape.record .abstract.none{color:var(--faint)}.queryscape.record .why li{display:grid;grid-template-columns:12px \
112px
minmax(0,1fr);align-items:baseline;column-gap:8px;padding:2px 0}@container (max-width: 360px){.queryscape.record .why li\
{
grid-template-columns:12px minmax(0,1fr);padding:3px 0}.queryscape.record .why-text{grid-column:2;font-size:12.5px;line-\
height:1.4}}
.queryscape.record .why .mark.undefined{align-self:start;margin-top:9px}.queryscape.record .why-text{color:var(--faint);\

overflow-wrap:anywhere}.queryscape.record .nearest button{display:grid;grid-template-columns:40px 12px minmax(0,1fr) aut\
o;
align-items:center;column-gap:8px;width:calc(100% + 16px);height:28px;margin:0 -8px;padding:0 8px;border:0;border-radius\
:6px;
background:none;text-align:left;cursor:pointer}.queryscape.record .nearest button:hover:enabled{background:var(--wash)}.\
queryscape.record
.nearest button:focus-visible{outline-offset:-2px}.queryscape.record .nearest button:disabled{opacity:1;cursor:default}.\
queryscape.record
.near-title{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.queryscape.record .nearest button:disabled .near-\
title{
color:var(--faint)}.queryscape.record :is(.near-similarity,.near-year){color:var(--faint)}.queryscape.record [aria-busy=\
true]
:is(.abstract,.why,.nearest){min-height:112px;max-height:112px}.queryscape.record [aria-busy=true] .nearest{min-height:2\
72px;
max-height:272px}.queryscape.record [aria-busy=true] .abstract{color:transparent}.queryscape.record [aria-busy=true] :is\
(.why
li,.nearest li,.link){visibility:hidden}.queryscape .hint-note{display:flex;flex:none;align-items:flex-start;gap:8px;mar\
gin:4px
0;padding:3px 3px 3px 10px;border-left:3px solid var(--accent);border-radius:0 6px 6px 0;background:color-mix(in srgb,va\
r(--accent)
8%,var(--paper));font-size:13px;line-height:18px}.queryscape .hint-note span{flex:1;padding:3px 0}.queryscape .hint-note\

.close{flex:none;width:24px;height:24px;padding:0;border:0;border-radius:6px;background:none;color:inherit;font-size:16p\
x;
line-height:24px;cursor:pointer}.queryscape .hint-note .close:hover{background:color-mix(in srgb,var(--ink) 10%,transpar\
ent)}
@media(prefers-reduced-motion:reduce){.queryscape:is(.scores,.table,.record) *,.queryscape.table .grid-space:before{anim\
ation:none!important;
transition:none!important}}@media(forced-colors:active){.queryscape :is(.mark,.dot,span.bar,.whisker,.swatch,.area,.curv\
e,.needle,.legend-icon,.ticks){
forced-color-adjust:none}.queryscape .ticks .tick:before{border-bottom-color:CanvasText!important}.queryscape :is(.chip,\

.option,.tool,.tab,.only):is([aria-pressed=true],[aria-selected=true]),.queryscape .lab-names a[aria-current]{forced-col\
or-adjust:none;
border-color:Highlight!important;background:Highlight!important;color:HighlightText!important}.queryscape :is(.chip,.opt\
ion,
.tool,.tab):is([aria-pressed=true],[aria-selected=true]) *{background:none!important;color:HighlightText!important}.quer\
yscape
:is(.card[aria-checked=true],.line[aria-selected=true]){outline:3px solid Highlight;outline-offset:-3px}.queryscape :is(\
.switch[aria-checked=true],
.pick.on .tick){forced-color-adjust:none;border-color:Highlight!important;background:Highlight!important}.queryscape .sw\
itch:after{
forced-color-adjust:none;background:ButtonText!important}.queryscape .switch[aria-checked=true]:after{background:Highlig\
htText!important}
.queryscape :is(button,input,select,textarea,[tabindex]):focus-visible{outline:3px solid CanvasText!important;outline-of\
fset:1px}
.queryscape :is(:disabled,[aria-disabled=true]){color:GrayText!important;opacity:1!important}.queryscape input[type=rang\
e]{
forced-color-adjust:none}.queryscape input[type=range]::-webkit-slider-runnable-track{background:CanvasText!important}.q\
ueryscape
input[type=range]::-moz-range-track{background:CanvasText!important}.queryscape input[type=range]::-webkit-slider-thumb{\

border-color:Canvas!important;background:Highlight!important;box-shadow:none!important}.queryscape input[type=range]::-m\
oz-range-thumb{
border-color:Canvas!important;background:Highlight!important;box-shadow:none!important}}.queryscape.landscape.alone .ask\
s-python{display:none!important}.queryscape.landscape.alone .how-to-read{height:auto;white-space:normal}
.queryscape.opened{--ink: var(--st-text-color, #262a33);--paper: var(--st-background-color, #ffffff);--accent: var(--st-\
primary-color,
#2f6fd0);min-height:86px;padding:10px 2px;color:var(--ink);font:400 13px/20px var(--st-font, system-ui, sans-serif);font\
-variant-numeric:tabular-nums}
.queryscape.opened p{margin:0}.queryscape.opened :is(.hint,.opened-facts,.opened-regions){color:color-mix(in srgb,var(--\
ink)
66%,var(--paper))}.queryscape.opened .opened-card{position:relative;padding:2px 34px 2px 12px;border-left:3px solid var(\
--accent)}
.queryscape.opened .opened-title{font-size:14px;font-weight:600;color:var(--ink);overflow-wrap:anywhere}.queryscape.open\
ed
a{margin-left:12px;color:var(--accent);overflow-wrap:anywhere}.queryscape.opened .close{position:absolute;top:0;right:0;\

width:28px;height:28px;padding:0;border:0;border-radius:6px;background:none;color:inherit;font:inherit;font-size:17px;li\
ne-height:1;
cursor:pointer}.queryscape.opened :focus-visible{outline:2px solid var(--accent);outline-offset:1px}@container landscape\

(max-width: 560px){.queryscape.landscape.alone .readout{display:grid;grid-template-columns:repeat(3,auto);height:auto;pa\
dding:6px
2px}}@container (min-width: 961px){.queryscape.scores.alone .cards{grid-template-columns:repeat(3,minmax(0,1fr))}}
`)),sheet}var SLACK=1e-6,COUNTS_OF=new WeakMap;function splitIndex(similarity,n,minSimilarity){let least=minSimilarity-SLACK,low=0,
high=n;for(;low<high;){let middle=low+high>>1;similarity[middle]>=least?high=middle:low=middle+1}return low}function coreFrom(core,n){
let counts=new Uint32Array(n+1);for(let i=n-1;i>=0;i--)counts[i]=counts[i+1]+core[i];return counts}function coreRows(core,n){
let found=[],missed=[];for(let row=0;row<core.length;row++)core[row]&&(row<n?found:missed).push(row);return{found:Uint32Array.
from(found),missed:Uint32Array.from(missed)}}function countsOf(points){if(!COUNTS_OF.has(points)){let{core}=points.arrays;
COUNTS_OF.set(points,{accepted:coreFrom(core,points.header.n),rows:coreRows(core,points.header.n)})}return COUNTS_OF.get(
points)}function countMask(mask,core,n){let nRelevant=0,nAccepted=0;for(let row=0;row<n;row++)bitAt(mask,row)&&(nRelevant++,
nAccepted+=core[row]);return{nRelevant,nAccepted}}var Relevance=class{constructor(){this.points=null,this.n=0,this.region=
null,this.split=0,this.mask=null,this.reason=null,this.nRelevant=0,this.nAccepted=0}follow(points,regions,live){let other=points!==
this.points||live.region!==this.region;return this.points=points,this.n=points.header.n,this.region=live.region,live.region===
"cosine"?this.#followSplit(points,live.min_similarity,other):this.#followMask(points,regions,other)}has(row){return row>=
this.n?!1:this.region==="cosine"?row>=this.split:this.mask!==null&&bitAt(this.mask,row)===1}#followSplit(points,minSimilarity,other){
let known=Number.isFinite(minSimilarity),split=known?splitIndex(points.arrays.similarity,this.n,minSimilarity):this.n;return this.
reason=known?null:"there is no similarity threshold",!other&&split===this.split?"same":(this.split=split,this.mask=null,
this.nRelevant=this.n-split,this.nAccepted=countsOf(points).accepted[split],other?"all":"split")}#followMask(points,regions,other){
let mask=regions?.arrays[`mask_${this.region}`]??null;if(this.reason=mask?null:regions?.header.undefined?.[this.region??
""]??"not computed yet",!other&&mask===this.mask)return"same";this.mask=mask;let counts=mask?countMask(mask,points.arrays.
core,this.n):{nRelevant:0,nAccepted:0};return this.nRelevant=counts.nRelevant,this.nAccepted=counts.nAccepted,"all"}},Readout=class{constructor(){
this.coreAccepted=this.semanticPrecision=this.decay=this.fBeta=NaN,this.reason=null}follow(relevance,curve,scores){let ofRegion=scores?.
regions?.find(({kind})=>kind===relevance.region);relevance.region==="cosine"?this.#atSplit(relevance,curve,ofRegion?.status):
this.#ofRegion(relevance,ofRegion)}#atSplit({points,split,n,reason},curve,status){let fits=curve!==null&&curve.arrays.f_beta.
length===n+1,undefinedBecause=reason??(n>0?null:status&&status!=="ok"?status:"nothing was retrieved"),at=scores=>undefinedBecause?
NaN:scores?.[split]??NaN;this.coreAccepted=at(points.arrays.core_accepted),this.semanticPrecision=at(points.arrays.semantic_precision),
this.decay=at(fits?curve.arrays.decay:null),this.fBeta=at(fits?curve.arrays.f_beta:null),this.reason=undefinedBecause??(fits?
"not defined at this similarity threshold":"computing")}#ofRegion(relevance,scores){let known=scores?.status==="ok"&&!relevance.
reason;this.coreAccepted=known?scores.core_accepted??NaN:NaN,this.semanticPrecision=known?scores.semantic_precision??NaN:
NaN,this.decay=known?scores.decay??NaN:NaN,this.fBeta=known?scores.f_beta??NaN:NaN;let status=!scores||scores.status==="\
ok"?"computing":scores.status;this.reason=scores?.pending??relevance.reason??status}};function countRelevant(rows,relevance){
let n=0;for(let i=0;i<rows.length;i++)relevance.has(rows[i])&&n++;return n}var SPOKEN_AFTER_MS=500,SHOWS_VERSION="The la\
ndscape shows the open version. Run the search string to update it.",ReadoutLine=class{constructor(hear){this.hear=hear,
this.items={relevant:readoutItem("relevant"),core_accepted:readoutItem("core accepted"),semantic_precision:readoutItem("\
semantic precision"),decay:readoutItem("decay"),f_beta:readoutItem("F2")},this.kept=readoutItem("core kept,"),this.toRead=
readoutItem("to read"),this.note=make("span",{class:"readout-name"}),this.isDraft=!1,this.isEmpty=!1,this.element=make("\
div",{class:"readout","data-testid":"readout"},...this.#all()),this.status=make("div",{class:"unseen",role:"status","ari\
a-live":"polite"}),this.timer=0}#all(){return Object.values(this.items).map(({element})=>element)}makeSentence(){this.element.
classList.add("sentence"),this.element.replaceChildren(this.kept.element,this.toRead.element,this.note),this.#explain()}showDraft(isDraft){
this.isDraft=isDraft,this.#explain()}#explain(){let words=this.isDraft?SHOWS_VERSION:this.isEmpty?"No retrieved publicat\
ion can be scored.":"";write(this.note,words);for(let{element}of[this.kept,this.toRead])show(element,!words)}describe({header}){
for(let name of["core_accepted","semantic_precision","decay","f_beta"])this.items[name].help=header.texts?.[name]??"";this.
kept.help=this.items.core_accepted.help,this.toRead.help="Retrieved publications that the region accepts as relevant.",this.
items.relevant.value.style.minWidth=`${2*count(header.n).length+4}ch`,this.items.core_accepted.value.style.minWidth=`${2*
count(header.n_core).length+12}ch`}follow(relevance,readout,{header},live){let{items}=this;this.isEmpty=relevance.n===0,
this.#explain();let isDefined=relevance.n>0&&!relevance.reason,counted=(n,all)=>isDefined?`${count(n)} of ${count(all)}`:
null,share=scoreText(readout.coreAccepted),accepted=share&&`${counted(relevance.nAccepted,header.n_core)} (${share})`,why=relevance.
reason??readout.reason;this.#write(items.relevant,counted(relevance.nRelevant,relevance.n),why),this.#write(this.toRead,
counted(relevance.nRelevant,relevance.n),why),this.#write(this.kept,counted(relevance.nAccepted,countsOf(relevance.points).
rows.found.length),why),this.#write(items.core_accepted,accepted,readout.reason),this.#write(items.semantic_precision,scoreText(
readout.semanticPrecision),readout.reason),this.#write(items.decay,scoreText(readout.decay),readout.reason),this.#write(
items.f_beta,scoreText(readout.fBeta),readout.reason),write(items.f_beta.name,fBetaName(live.beta)),clearTimeout(this.timer),
this.timer=setTimeout(()=>this.#say(),SPOKEN_AFTER_MS)}#write({element,value,help},text,reason){write(value,text??"–"),
attribute(element,"title",text===null?`Undefined: ${reason}`:help||null)}#say(){let parts=Object.values(this.items).map(
({name,value})=>`${name.textContent} ${value.textContent}`);write(this.status,parts.join(", ")),this.hear(parts.join(", "))}destroy(){
clearTimeout(this.timer)}};function readoutItem(label){let name=make("span",{class:"readout-name"},label),value=make("sp\
an",{class:"readout-value"},"–");return{element:make("span",{class:"readout-item"},name,value),name,value,help:""}}function scoreText(value){
return Number.isNaN(value)?null:significant(value)}var INSETS={left:22,right:22,top:52,bottom:50},Camera=class{constructor(){this.width=0,this.height=0,this.insets={...INSETS},
this.bounds=[0,0,1,1],this.cx=0,this.cy=0,this.scale=1,this.fit=1,this.isHome=!0}get closeness(){return this.scale/this.
fit}pixelX(x){return(x-this.cx)*this.scale+this.width/2}pixelY(y){return this.height/2-(y-this.cy)*this.scale}placeX(px){
return(px-this.width/2)/this.scale+this.cx}placeY(py){return(this.height/2-py)/this.scale+this.cy}resize(width,height){let closeness=this.
closeness;this.width=width,this.height=height,this.#measure(),this.isHome?this.home():this.scale=this.fit*closeness}frame(bounds){
bounds.every((edge,i)=>edge===this.bounds[i])||(this.bounds=[...bounds],this.#measure(),this.home())}home(){let[x0,y0,x1,
y1]=this.bounds;this.scale=this.fit;let{left,right,top,bottom}=this.insets;this.cx=(x0+x1)/2+(right-left)/2/this.scale,this.
cy=(y0+y1)/2+(top-bottom)/2/this.scale,this.isHome=!0}pan(dx,dy){this.cx-=dx/this.scale,this.cy+=dy/this.scale,this.#stayNear()}zoom(factor,px,py){
let x=this.placeX(px),y=this.placeY(py);this.scale=Math.min(Math.max(this.scale*factor,this.fit*.8),this.fit*400),this.cx=
x-(px-this.width/2)/this.scale,this.cy=y+(py-this.height/2)/this.scale,this.#stayNear()}centre(x,y){this.cx=x,this.cy=y,
this.#stayNear()}#measure(){let[x0,y0,x1,y1]=this.bounds,{left,right,top,bottom}=this.insets,wide=Math.max(this.width-left-
right,40),high=Math.max(this.height-top-bottom,40);this.fit=Math.min(wide/Math.max(x1-x0,1e-9),high/Math.max(y1-y0,1e-9))}#stayNear(){
let[x0,y0,x1,y1]=this.bounds;this.cx=Math.min(Math.max(this.cx,x0),x1),this.cy=Math.min(Math.max(this.cy,y0),y1),this.isHome=
!1}};function boundsOf(x,y){let[x0,y0,x1,y1]=[1/0,1/0,-1/0,-1/0];for(let row=0;row<x.length;row++)Number.isNaN(x[row])||
Number.isNaN(y[row])||(x[row]<x0&&(x0=x[row]),x[row]>x1&&(x1=x[row]),y[row]<y0&&(y0=y[row]),y[row]>y1&&(y1=y[row]));return x0>
x1?[0,0,1,1]:[x0,y0,x1,y1]}var CLICK_REACH=4,STEP_PX=48,KEY_ZOOM=1.3,LASSO_STEP=3,SMALL_STEP=50,Hand=class{constructor(canvas,actions){
this.canvas=canvas,this.actions=actions,this.lassoing=!1,this.pointers=new Map,this.path=null,this.moved=!1,this.from={x:0,
y:0};let listeners={pointerdown:event=>this.#down(event),pointermove:event=>this.#move(event),pointerup:event=>this.#up(
event),pointercancel:event=>this.#cancel(event),pointerleave:()=>actions.leave(),dblclick:event=>this.#twice(event),keydown:event=>this.#key(
event)};for(let[name,listener]of Object.entries(listeners))canvas.addEventListener(name,listener);canvas.addEventListener(
"wheel",event=>this.#wheel(event),{passive:!1})}#place(event){let{left,top}=this.canvas.getBoundingClientRect();return{x:event.
clientX-left,y:event.clientY-top}}#down(event){if(event.button!==0)return;let place=this.#place(event);this.canvas.setPointerCapture(
event.pointerId),this.pointers.set(event.pointerId,place),this.pointers.size>1?(this.#endLasso(!1),this.moved=!0):(this.
moved=!1,this.from=place,(this.lassoing||event.shiftKey)&&(this.path=[place.x,place.y]))}#move(event){let place=this.#place(
event),before=this.pointers.get(event.pointerId);if(!before)return this.actions.hover(place.x,place.y);if(this.pointers.
size>1)return this.#pinch(event.pointerId,place);if(!(!this.moved&&Math.hypot(place.x-this.from.x,place.y-this.from.y)<CLICK_REACH))
return this.moved=!0,this.path?this.#drawLasso(place):(this.pointers.set(event.pointerId,place),this.canvas.classList.add(
"dragging"),this.actions.pan(place.x-before.x,place.y-before.y))}#drawLasso({x,y}){let path=this.path??[];Math.hypot(x-path[path.
length-2],y-path[path.length-1])<LASSO_STEP||(path.push(x,y),this.actions.lassoMove(path))}#pinch(id,place){let[a,b]=[...this.
pointers.values()],apart=Math.hypot(a.x-b.x,a.y-b.y);this.pointers.set(id,place);let[c,d]=[...this.pointers.values()];this.
actions.pan((c.x+d.x-a.x-b.x)/2,(c.y+d.y-a.y-b.y)/2),apart>0&&this.actions.zoom(Math.hypot(c.x-d.x,c.y-d.y)/apart,(c.x+d.
x)/2,(c.y+d.y)/2)}#up(event){if(!this.pointers.delete(event.pointerId)||(this.canvas.classList.remove("dragging"),this.pointers.
size))return;let drawn=this.path&&this.moved;if(this.path&&this.#endLasso(drawn),!this.moved){let{x,y}=this.#place(event);
this.actions.click(x,y)}}#cancel(event){this.pointers.delete(event.pointerId),this.canvas.classList.remove("dragging"),this.#endLasso(
!1)}#endLasso(drawn){let{path}=this;path&&(this.path=null,this.actions.lassoEnd(drawn&&path.length>=6?path:null))}#twice(event){
if(event.shiftKey||this.lassoing)return;let{x,y}=this.#place(event);this.actions.zoom(2,x,y)}#wheel(event){if(!event.ctrlKey&&
!event.metaKey)return this.actions.scrolled?.();event.preventDefault();let{x,y}=this.#place(event),lines=event.deltaMode===
1?16:1,speed=Math.abs(event.deltaY*lines)<SMALL_STEP?.01:.0015;return this.actions.zoom(Math.exp(-event.deltaY*lines*speed),
x,y)}#key(event){if(event.ctrlKey||event.metaKey||event.altKey)return;let step=event.shiftKey?3*STEP_PX:STEP_PX,{pan,zoom,
home,enter,escape}=this.actions,middle=[this.canvas.clientWidth/2,this.canvas.clientHeight/2],act={ArrowLeft:()=>pan(step,
0),ArrowRight:()=>pan(-step,0),ArrowUp:()=>pan(0,step),ArrowDown:()=>pan(0,-step),"+":()=>zoom(KEY_ZOOM,...middle),"=":()=>zoom(
KEY_ZOOM,...middle),"-":()=>zoom(1/KEY_ZOOM,...middle),_:()=>zoom(1/KEY_ZOOM,...middle),0:home,Home:home,Enter:enter,Escape:()=>{
this.#endLasso(!1),escape()}}[event.key];act&&(event.preventDefault(),event.stopPropagation(),act())}};function fileName(...parts){return parts.filter(Boolean).map(part=>String(part).replace(/[^\p{L}\p{N}]+/gu,"-")).map(part=>part.
replace(/^-+|-+$/g,"").toLowerCase()).filter(Boolean).join("_")||"table"}function saveFile(content,type,name){let address=URL.
createObjectURL(content instanceof Blob?content:new Blob([content],{type})),anchor=document.createElement("a");anchor.href=
address,anchor.download=name,anchor.click(),setTimeout(()=>URL.revokeObjectURL(address),1e4)}var FORMULA=/^[=+\-@\t\r]/;
function csvOf(rows){return rows.map(cells=>cells.map(csvCell).join(",")+`\r
`).join("")}function csvCell(value){if(value==null)return"";if(typeof value=="number")return Number.isFinite(value)?String(
value):"";let text=FORMULA.test(value)?`'${value}`:String(value);return/[",\r\n]/.test(text)?`"${text.replaceAll('"','""')}\
"`:text}var NOT_IN_XML=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;function svgSheet(width,height,{title,description,background,...attributes}){let root=svgElement("svg",{xmlns:"http://ww\
w.w3.org/2000/svg",viewBox:`0 0 ${width} ${height}`,width,height,role:"img",...attributes});return root.append(svgElement(
"title",{},title),svgElement("desc",{},description)),root.append(svgElement("rect",{width,height,fill:background})),root}
function svgText(root){return svgFile(new XMLSerializer().serializeToString(root))}function svgFile(serialized){return`<\
?xml version="1.0" encoding="UTF-8"?>
${serialized.replace(/url\((&quot;|")?[^#)"&]*#/g,"url($1#").replace(NOT_IN_XML,"")}
`}var MARK_RADII={found:4.3,accepted:4.3,missed:4.2,picked:4.2,typed:4,focused:9};function drawMark(context,mark,x,y,radius,colours){
context.beginPath(),context.arc(x,y,radius,0,2*Math.PI),mark==="found"||mark==="accepted"?(context.fillStyle=colours.core,
context.fill(),ring(context,mark==="accepted"?colours.core_edge:colours.background,mark==="accepted"?1.4:.9)):mark==="mi\
ssed"?(context.fillStyle=colours.background,context.fill(),ring(context,colours.core,1.7)):mark==="picked"?(context.globalAlpha=
radius<3?.6:1,ring(context,colours.selection,radius<3?1:1.6),context.globalAlpha=1):mark==="typed"?drawDiamond(context,x,
y,radius,colours):mark==="focused"&&drawCrosshair(context,x,y,radius,colours)}function ring(context,colour,width){context.
strokeStyle=colour,context.lineWidth=width,context.stroke()}function drawDiamond(context,x,y,radius,colours){context.beginPath();
let reach=1.3*radius;for(let[dx,dy]of[[1,0],[0,1],[-1,0],[0,-1]])context.lineTo(x+dx*reach,y+dy*reach);context.closePath(),
ring(context,colours.background,radius<3?2:3.2),ring(context,colours.text,radius<3?.9:1.6)}function drawCrosshair(context,x,y,radius,colours){
for(let[dx,dy]of[[1,0],[-1,0],[0,1],[0,-1]])context.moveTo(x+dx*radius,y+dy*radius),context.lineTo(x+dx*(radius+6),y+dy*
(radius+6));ring(context,colours.background,4.5),ring(context,colours.selection,2)}function coreShrink(nCore){return nCore<=
250?1:nCore<=1500?.8:.65}function spriteOf(mark,radius,scale,colours){let reach=Math.ceil((radius+2)*scale),side=2*reach+
1,canvas=document.createElement("canvas");canvas.width=canvas.height=side;let context=contextOf(canvas,{willReadFrequently:!0});
context.scale(scale,scale),drawMark(context,mark,(reach+.5)/scale,(reach+.5)/scale,radius,colours);let{data}=context.getImageData(
0,0,side,side),dots=[];for(let at=0;at<data.length;at+=4){if(data[at+3]<8)continue;let place=at/4;dots.push(place%side-reach,
Math.floor(place/side)-reach,...data.subarray(at,at+4))}return{reach,dots:Int16Array.from(dots)}}var ROW_HEIGHT=32,HEAD_HEIGHT=32,BEYOND=4,Grid=class{constructor(label,{onOpen,onMark,onSort,dress}){this.onOpen=onOpen,
this.onMark=onMark,this.onSort=onSort,this.dress=dress,this.view=new Uint32Array(0),this.columns=[],this.pool=[],this.active=
0,this.version=0,this.head=make("div",{class:"grid-head",role:"row","aria-rowindex":1}),this.space=make("div",{class:"gr\
id-space",role:"presentation"}),this.element=make("div",{class:"grid",role:"grid",tabindex:0,"aria-label":label}),this.element.
append(this.head,this.space),attribute(this.element,"aria-multiselectable","true"),this.frame=oncePerFrame(()=>this.paint()),
this.element.addEventListener("scroll",()=>this.frame.ask(),{passive:!0}),this.element.addEventListener("keydown",event=>this.
key(event)),this.element.addEventListener("click",event=>this.click(event)),this.observer=new ResizeObserver(()=>this.frame.
ask()),this.observer.observe(this.element)}destroy(){this.observer.disconnect(),this.frame.stop()}setColumns(columns){let same=columns.
map(c=>`${c.key}|${c.label}|${c.help}`).join(`
`);if(this.columns=columns,same!==this.shape){this.shape=same,this.element.style.setProperty("--columns",columns.map(c=>`\
var(--w-${c.size})`).join(" ")),attribute(this.element,"aria-colcount",columns.length),this.head.replaceChildren(...columns.
map((column,at)=>this.headCell(column,at)));for(let line of this.pool.splice(0))line.element.remove()}}headCell(column,at){
let cell=make("div",{class:`cell ${column.size}`,role:"columnheader","aria-colindex":at+1});if(column.help&&(cell.title=
column.help),!column.sortable)return cell.append(make("span",{class:"unseen"},column.label)),cell;let button2=make("butt\
on",{type:"button",class:"sort"},make("span",{},column.short??column.label));return column.short&&attribute(button2,"ari\
a-label",column.label),button2.addEventListener("click",()=>this.onSort(column.key)),cell.append(button2),cell}setSort(key,descending){
this.columns.forEach((column,at)=>{let direction=descending?"descending":"ascending";attribute(this.head.children[at],"a\
ria-sort",column.key===key?direction:column.sortable?"none":null)})}setView(view){let row=this.view[this.active];this.view=
view,this.active=Math.max(0,row===void 0?0:view.indexOf(row)),this.space.style.height=`${view.length*ROW_HEIGHT}px`,attribute(
this.element,"aria-rowcount",view.length+1),this.refresh()}refresh(){this.version++,this.frame.ask()}paint(){let height=this.
element.clientHeight-HEAD_HEIGHT,above=Math.floor(this.element.scrollTop/ROW_HEIGHT)-BEYOND,inSight=Math.ceil(Math.max(height,
0)/ROW_HEIGHT)+2*BEYOND+1;for(;this.pool.length<inSight;)this.pool.push(this.line(this.pool.length));let first=Math.max(
0,above),used=new Set;for(let index=first;index<Math.min(this.view.length,first+inSight);index++){let slot=index%this.pool.
length;used.add(slot),this.patch(this.pool[slot],index)}this.pool.forEach((line2,slot)=>show(line2.element,used.has(slot)));
let line=this.pool[this.active%this.pool.length],seen=line&&line.index===this.active&&!line.element.hidden;attribute(this.
element,"aria-activedescendant",seen?line.element.id:null)}line(slot){let cells=this.columns.map((column,at)=>{let cell=make(
"div",{class:`cell ${column.size}`,role:"gridcell","aria-colindex":at+1});return column.start?.(cell),cell}),element=make(
"div",{class:"line",role:"row",id:`line-${slot}`},...cells);return this.space.append(element),{element,cells,index:-1,row:-1,
version:-1}}patch(line,index){let row=this.view[index];line.element.classList.toggle("active",index===this.active),line.
index!==index&&(line.index=index,line.element.style.transform=`translateY(${index*ROW_HEIGHT}px)`,attribute(line.element,
"aria-rowindex",index+2)),!(line.row===row&&line.version===this.version)&&(line.row=row,line.version=this.version,this.dress(
line.element,row),this.columns.forEach((column,at)=>column.fill(line.cells[at],row)))}reveal(row){let index=this.view.indexOf(
row);return index<0?!1:(this.move(index),!0)}move(index){this.active=Math.min(Math.max(index,0),Math.max(this.view.length-
1,0));let top=this.active*ROW_HEIGHT,height=this.element.clientHeight-HEAD_HEIGHT,{scrollTop}=this.element;top<scrollTop?
this.element.scrollTop=top:top+ROW_HEIGHT>scrollTop+height&&(this.element.scrollTop=top+ROW_HEIGHT-height),this.frame.ask()}key(event){
if(event.target!==this.element||event.altKey||event.metaKey)return;let page=Math.max(1,Math.floor((this.element.clientHeight-
HEAD_HEIGHT)/ROW_HEIGHT)-1),last=this.view.length-1,steps={ArrowDown:1,ArrowUp:-1,PageDown:page,PageUp:-page,Home:-last,
End:last},row=this.view[this.active];if(event.key in steps)this.move(this.active+steps[event.key]);else if(event.key==="\
Enter"&&row!==void 0)this.onOpen(row);else if(event.key===" "&&row!==void 0)this.onMark(row);else return;event.preventDefault()}click(event){
let element=hit(event,".line"),line=this.pool.find(candidate=>candidate.element===element);!line||hit(event,"a")||(this.
active=line.index,this.frame.ask(),hit(event,".pick")?this.onMark(line.row):this.onOpen(line.row))}};function fillText(cell,text,title=null){
write(cell,text),attribute(cell,"title",title)}var ASCII=/^[ -~]*$/,FILTERS=["all","relevant","core","picked","missed"];function rankOf(row,n){return row<n?n-row:null}
function sourcesOf(mask){let n=0;for(let rest=mask;rest;rest&=rest-1)n++;return n}function sortedRows(total,n,keyOf2,descending){
let order=rankedRows(total,n),keys=Array.from(order,keyOf2),distinct=ascending([...new Set(keys.filter(isKey))]),codes=new Map;
distinct.forEach((key,at)=>codes.set(key,descending?distinct.length-1-at:at));let packed=Float64Array.from(keys,(key,place)=>(codes.
get(key)??distinct.length)*total+place);return Uint32Array.from(packed.sort(),code=>order[code%total])}function rankedRows(total,n){
let order=new Uint32Array(total);for(let place=0;place<total;place++)order[place]=place<n?n-1-place:place;return order}function ascending(keys){
return typeof keys[0]=="number"?Float64Array.from(keys).sort():keys.sort()}function isKey(key){return key!=null&&key!==""&&
!Number.isNaN(key)}function sortableTitle(title){let small=title.toLowerCase(),plain=ASCII.test(small)?small:small.normalize(
"NFKD").replace(/\p{M}+/gu,"");return plain.replace(/^[^\p{L}\p{N}]+/u,"")||plain}function shownRows(order,{filter,n,core,
isRelevant,picked,found}){let passes={all:row=>row<n,relevant:row=>row<n&&isRelevant(row),core:row=>row<n&&core[row]===1,
picked:row=>picked!==null&&picked[row]===1,missed:row=>row>=n}[filter];return order.filter(row=>(found===null||found[row]===
1)&&passes(row))}function marksOf(rows,total){if(!rows.length)return null;let marks=new Uint8Array(total);for(let row of rows)
row<total&&(marks[row]=1);return marks}function toggled(rows,row){let others=Array.from(rows).filter(other=>other!==row);
return others.length===rows.length?[...others,row]:others}function foundRows(typed,{titles,dois,year},total){let words=typed.
split(/\s+/).filter(word=>word.trim().length>=SHORTEST_FIND);if(!words.length)return null;let found=new Uint8Array(total).
fill(1);for(let word of words){let hits=new Uint8Array(total);for(let rows of[titles.find(word),dois.find(word)])for(let row of rows)
hits[row]=1;/^\d{4}$/.test(word)&&markYear(year,Number(word),hits);for(let row=0;row<total;row++)found[row]&=hits[row]}return found}
function markYear(year,wanted,hits){for(let row=0;row<hits.length;row++)year[row]===wanted&&(hits[row]=1)}var SHORT={cosine:"\
Cos",nearest_core:"Near",mvee:"Ell",hull:"Hull",cluster:"Clus"};function columnsFor(points,table){let{header,arrays}=points;
return[pickColumn(table),rankColumn(header),titleColumn(table),yearColumn(arrays),similarityColumn(arrays),...header.kinds.
map(kind=>regionColumn(kind,header.n,table)),coreColumn(header,arrays),sourcesColumn(header,arrays),doiColumn(table)]}function pickColumn(table){
return{key:"pick",label:"Picked",size:"pick",sortable:!1,start:cell=>cell.append(make("span",{class:"tick","aria-hidden":"\
true"})),fill(cell,row){let picked=table.isPicked(row);cell.classList.toggle("on",picked),attribute(cell,"aria-label",picked?
"picked":"not picked")}}}function rankColumn({n}){return{key:"rank",label:"Rank",size:"rank",sortable:!0,descendingFirst:!1,
help:"Rank by similarity to the core: 1 is the most similar.",fill:(cell,row)=>fillText(cell,count(rankOf(row,n))),sortKey:row=>rankOf(
row,n),value:row=>rankOf(row,n)}}function titleColumn(table){return{key:"title",label:"Title",size:"title",sortable:!0,descendingFirst:!1,
fill(cell,row){let retracted=table.isRetracted(row);fillText(cell,listedTitle(table.titleOf(row),retracted),table.titleOf(
row)||null),cell.classList.toggle("retracted",retracted)},sortKey:row=>sortableTitle(table.titleOf(row)),value:row=>table.
titleOf(row)}}function retractedColumn(table){return{label:"Retracted",value:row=>table.isRetracted(row)?"yes":""}}function yearColumn({
year}){return{key:"year",label:"Year",size:"year",sortable:!0,descendingFirst:!0,fill:(cell,row)=>fillText(cell,year[row]?
String(year[row]):"–"),sortKey:row=>year[row]||null,value:row=>year[row]||null}}function similarityColumn({similarity}){
return{key:"similarity",label:"Similarity",size:"similarity",sortable:!0,descendingFirst:!0,help:"Cosine similarity to t\
he centre of the core publications.",fill:(cell,row)=>fillText(cell,significant(similarity[row])),sortKey:row=>similarity[row],
value:row=>Number(similarity[row].toPrecision(7))}}function regionColumn({kind,label,help},n,table){let reason=table.undefinedReason(
kind),verdictOf=row=>row<n?table.verdict(kind)?.(row)??null:null;return{key:`relevant:${kind}`,label:`Relevant: ${label}`,
short:SHORT[kind]??label.slice(0,4),size:"region",help:reason?`${label}: not defined (${reason})`:`${label}: ${help}`,sortable:!0,
descendingFirst:!0,start:cell=>cell.append(make("span",{class:"mark","aria-hidden":"true"})),fill(cell,row){let verdict=verdictOf(
row);cell.firstChild.className=verdict?"mark relevant":verdict===null?"mark undefined":"mark outside",attribute(cell,"ar\
ia-label",verdict?"relevant":verdict===null?"not defined":"not relevant")},sortKey:row=>verdictOf(row)===null?null:Number(
verdictOf(row)),value:row=>verdictOf(row)===null?null:verdictOf(row)?"yes":"no"}}function coreColumn({n},{core}){let words=row=>core[row]?
row<n?"core found":"core missed":"";return{key:"core",label:"Core",size:"core",sortable:!0,descendingFirst:!0,help:"Core\
 publications: found by the query, or missed.",start:cell=>cell.append(make("span",{class:"mark","aria-hidden":"true"})),
fill(cell,row){cell.firstChild.className=core[row]?`mark ${row<n?"core-found":"core-missed"}`:"mark",attribute(cell,"ari\
a-label",words(row)||null),attribute(cell,"title",words(row)||null)},sortKey:row=>core[row],value:words}}function sourcesColumn({
sources=[]},{source}){let names=row=>sources.filter((_,bit)=>source[row]>>bit&1).join("; ");return{key:"sources",label:"\
Found by",size:"sources",sortable:!0,descendingFirst:!0,help:"Number of query versions that retrieve it.",fill:(cell,row)=>fillText(
cell,count(sourcesOf(source[row])),names(row)||"no query version"),sortKey:row=>sourcesOf(source[row]),value:names}}function doiColumn(table){
return{key:"doi",label:"DOI",size:"doi",sortable:!0,descendingFirst:!1,start:cell=>cell.append(make("a",{target:"_blank",
rel:"noopener noreferrer",tabindex:-1})),fill(cell,row){let doi=table.doiOf(row),address=doiAddress(doi);attribute(cell.
firstChild,"href",address),attribute(cell.firstChild,"title",address&&`${doi} (opens in a new tab)`),fillText(cell.firstChild,
address?doi:"",cell.firstChild.title||null)},sortKey:row=>table.doiOf(row),value:row=>table.doiOf(row)}}var DEEPEST=255,FINENESS=[[1.5,15],[4,8],[1/0,4]],SAMPLES_PER_SIDE=5,MARGIN_PX=12,STAMPS=["found","accepted","missed","p\
icked","typed"],SMALL_RING=2.2,SMALL_FROM=2e4,MANY=400,BESIDES_SHARE=.5,NO_TONES=new Float64Array(DEEPEST+1),Splat=class{constructor(canvas){
this.canvas=canvas,this.context=contextOf(canvas,{alpha:!1,willReadFrequently:!0}),this.table=new Uint32Array((DEEPEST+1)**
2),this.offsets=new Int32Array(0),this.width=this.height=this.scale=this.margin=this.stride=0,this.image=new ImageData(1,
1),this.pixels=this.cells=this.ground=new Uint32Array(1),this.dotOffsets=new Int32Array(0),this.dotWeights=new Uint32Array(
0),this.opacity=this.dotRadius=this.full=this.densest=this.background=0,this.tableFor=null,this.coloured=!1,this.sprites=
this.smallSprites={},this.spoiled={left:0,top:0,right:0,bottom:0},this.typed=this.picked=null}resize(width,height,scale){
this.scale=scale,this.width=this.canvas.width=Math.max(1,Math.round(width*scale)),this.height=this.canvas.height=Math.max(
1,Math.round(height*scale)),this.image=this.context.createImageData(this.width,this.height),this.pixels=new Uint32Array(
this.image.data.buffer),this.margin=Math.ceil(MARGIN_PX*scale),this.stride=this.width+2*this.margin,this.cells=new Uint32Array(
this.stride*(this.height+2*this.margin)),this.ground=new Uint32Array(this.cells.length)}draw(scene){this.dress(scene),this.
place(scene),this.lay(scene),this.gather(scene),this.paint(scene)}place({points,camera}){let{x,y}=points.arrays;this.offsets.
length!==x.length&&(this.offsets=new Int32Array(x.length));let{offsets,margin,stride,scale}=this,high=this.height+2*margin,
perUnit=camera.scale*scale,left=camera.width/2*scale-camera.cx*perUnit+margin,top=camera.height/2*scale+camera.cy*perUnit+
margin,least=Math.ceil(MARGIN_PX*scale/2);for(let row=0;row<x.length;row++){let px=Math.floor(x[row]*perUnit+left),py=Math.
floor(top-y[row]*perUnit),seen=px>=least&&py>=least&&px<stride-least&&py<high-least;offsets[row]=seen?py*stride+px:-1}this.#chooseDot(
points.header.n,camera)}lay({points,camera,colours,show:show2}){let{ground,margin,stride,scale,height}=this;ground.fill(
this.background);let{besides_x:x=[],besides_y:y=[]}=points.arrays;if(!show2.besides||!x.length)return;let[r,g,b]=channels(
colours.not_relevant),pixel=mixed(this.background,r,g,b,256*BESIDES_SHARE),side=Math.max(1,Math.round((x.length>SMALL_FROM?
1:2)*scale));for(let row=0;row<x.length;row++){let px=Math.round(camera.pixelX(x[row])*scale-side/2)+margin,py=Math.round(
camera.pixelY(y[row])*scale-side/2)+margin;if(!(px<0||py<0||px+side>stride||py+side>height+2*margin))for(let line=py;line<
py+side;line++)ground.fill(pixel,line*stride+px,line*stride+px+side)}}#chooseDot(n,camera){let area=camera.width*camera.
height,room=Math.sqrt(area/Math.max(n,1))*Math.sqrt(camera.closeness),radius=Math.min(Math.max(.24*room,.95),3.6),overlap2=n*
Math.PI*radius*radius/(.35*area*camera.closeness**2);this.opacity=Math.min(Math.max(.75/(1+.5*overlap2),.24),.75),this.dotRadius=
radius,this.full=(FINENESS.find(([most])=>overlap2<most)??FINENESS[2])[1],this.densest=Math.min(Math.max(9*overlap2,3),DEEPEST/
this.full),this.#makeDot(radius*this.scale)}#makeDot(radius){let reach=Math.min(Math.ceil(radius),Math.floor(this.margin/
2)),offsets=[],weights=[];for(let dy=-reach;dy<=reach;dy++)for(let dx=-reach;dx<=reach;dx++){let weight=Math.round(this.
full*discShare(dx,dy,radius));weight&&(offsets.push(dy*this.stride+dx),weights.push(weight))}this.dotOffsets=Int32Array.
from(offsets),this.dotWeights=Uint32Array.from(weights)}dress({colours,points}){this.background=pixelOf(colours.background),
this.tableFor=null,this.#spoilAll();let{found,missed}=countsOf(points).rows,shrink=coreShrink(found.length+missed.length);
this.sprites=Object.fromEntries(STAMPS.map(mark=>{let radius=MARK_RADII[mark]*(mark==="typed"||mark==="picked"?1:shrink);
return[mark,spriteOf(mark,radius,this.scale,colours)]}));let small=mark=>spriteOf(mark,SMALL_RING,this.scale,colours);this.
smallSprites={picked:small("picked"),typed:small("typed")}}#mixTable({colours,show:show2}){let key=this.opacity+this.densest;
if(this.tableFor===key)return;this.tableFor=key;let base=channels(colours.background),grey=channels(colours.not_relevant),
blue=channels(colours.relevant),greys=show2.retrieved?this.#tones(this.opacity):NO_TONES,blues=show2.relevant?this.#tones(
stronger(this.opacity)):NO_TONES;for(let g=0;g<=DEEPEST;g++){let under=base.map((value,c)=>value+(grey[c]-value)*greys[g]);
for(let b=0;b<=DEEPEST;b++){let red=under[0]+(blue[0]-under[0])*blues[b],green=under[1]+(blue[1]-under[1])*blues[b],azure=under[2]+
(blue[2]-under[2])*blues[b];this.table[b<<8|g]=4278190080|azure<<16|green<<8|red}}}#tones(opacity){return Float64Array.from(
{length:DEEPEST+1},(_,sum)=>{let dots=sum/this.full;return dots<=1?opacity*dots:opacity+(.97-opacity)*Math.min(1,Math.log(
dots)/Math.log(this.densest))})}gather({relevance,colouring,points,colours}){if(this.coloured=colouring!==null,this.#spoilAll(),
colouring)return this.#gatherColours(colouring,colours,points.header.n);if(this.cells.fill(0),relevance.region==="cosine")
return this.#cover(0,relevance.split,1),this.#cover(relevance.split,relevance.n,65536);for(let row=0;row<relevance.n;row++)
this.#cover(row,row+1,relevance.mask!==null&&bitAt(relevance.mask,row)?65536:1)}shift(before,after){let from=Math.min(before,
after),to=Math.max(before,after);if(this.#spoilRows(from,to),this.coloured)return;let change=65535;this.#cover(from,to,after<
before?change:-change)}#spoilAll(){Object.assign(this.spoiled,{left:0,top:0,right:this.width,bottom:this.height})}#spoilRows(from,to){
let{offsets,stride,margin,spoiled,sprites}=this,reach=Math.max(margin/2,sprites.accepted.reach)+1,[left,top,right,bottom]=[
1/0,1/0,-1/0,-1/0];for(let row=from;row<to;row++){let at=offsets[row];if(at<0)continue;let px=at%stride;px<left&&(left=px),
px>right&&(right=px),at<top&&(top=at),at>bottom&&(bottom=at)}if(left===1/0)return;let none=spoiled.right<=spoiled.left,lower=(now,edge)=>Math.
max(0,none?edge:Math.min(now,edge)),higher=(now,edge,most)=>Math.min(most,none?edge:Math.max(now,edge)),[above,below]=[top,
bottom].map(at=>Math.floor(at/stride));spoiled.left=lower(spoiled.left,left-margin-reach),spoiled.right=higher(spoiled.right,
right-margin+reach+1,this.width),spoiled.top=lower(spoiled.top,above-margin-reach),spoiled.bottom=higher(spoiled.bottom,
below-margin+reach+1,this.height)}#cover(from,to,unit){let{cells,offsets,dotOffsets,dotWeights}=this,n=dotOffsets.length;
for(let row=from;row<to;row++){let at=offsets[row];if(!(at<0))for(let k=0;k<n;k++)cells[at+dotOffsets[k]]+=unit*dotWeights[k]}}#gatherColours({
index,palette},colours,n){let{cells,offsets,dotOffsets,dotWeights}=this,paints=palette.map(channels),opacity=stronger(this.
opacity),shares=Float64Array.from(dotWeights,weight=>256*opacity*weight/this.full);cells.set(this.ground);for(let row=0;row<
n;row++){let at=offsets[row];if(at<0)continue;let[r,g,b]=paints[index[row]];for(let k=0;k<dotOffsets.length;k++){let cell=at+
dotOffsets[k];cells[cell]=mixed(cells[cell],r,g,b,shares[k])}}}paint(scene){let{spoiled}=this;(scene.typed!==this.typed||
scene.picked!==this.picked)&&this.#spoilAll(),this.typed=scene.typed,this.picked=scene.picked;let{left,top,right,bottom}=spoiled;
right<=left||bottom<=top||(this.#mixTable(scene),this.#colourPixels(),this.#stampAll(scene),this.context.putImageData(this.
image,0,0,left,top,right-left,bottom-top),spoiled.right=spoiled.left)}#colourPixels(){let{cells,ground,pixels,table,width,
stride,margin,coloured,spoiled}=this;for(let py=spoiled.top;py<spoiled.bottom;py++){let at=(py+margin)*stride+margin+spoiled.
left,end=py*width+spoiled.right;for(let out=py*width+spoiled.left;out<end;out++){let cell=cells[at++];if(coloured)pixels[out]=
cell;else if(cell===0)pixels[out]=ground[at-1];else{let grey=cell&65535,blue=cell>>>16;pixels[out]=table[(blue<DEEPEST?blue:
DEEPEST)<<8|(grey<DEEPEST?grey:DEEPEST)]}}}}#stampAll({points,relevance,show:show2,typed,picked}){let{found,missed}=countsOf(
points).rows;if(typed&&this.#ring("typed",typed),show2.missed)for(let i=0;i<missed.length;i++)this.#stamp(this.sprites.missed,
missed[i]);if(show2.found){let{found:plain,accepted}=this.sprites;for(let i=0;i<found.length;i++)this.#stamp(relevance.has(
found[i])?accepted:plain,found[i])}this.#ring("picked",picked)}#ring(mark,rows){let sprite=(rows.length>MANY?this.smallSprites:
this.sprites)[mark];for(let i=0;i<rows.length;i++)this.#stamp(sprite,rows[i])}#stamp({dots,reach},row){let offset=this.offsets[row];
if(offset===void 0||offset<0)return;let{pixels,width,stride,margin}=this,{left,top,right,bottom}=this.spoiled,px=offset%
stride-margin,py=Math.floor(offset/stride)-margin;if(px+reach<left||py+reach<top||px-reach>=right||py-reach>=bottom)return;
let whole=px-reach>=left&&py-reach>=top&&px+reach<right&&py+reach<bottom;for(let k=0;k<dots.length;k+=6){let x=px+dots[k],
y=py+dots[k+1];if(!whole&&(x<left||y<top||x>=right||y>=bottom))continue;let at=y*width+x;pixels[at]=mixed(pixels[at],dots[k+
2],dots[k+3],dots[k+4],dots[k+5]+(dots[k+5]>>7))}}};function discShare(dx,dy,radius){let inside=0;for(let j=0;j<SAMPLES_PER_SIDE;j++)
for(let i=0;i<SAMPLES_PER_SIDE;i++){let x=dx+(i+.5)/SAMPLES_PER_SIDE-.5,y=dy+(j+.5)/SAMPLES_PER_SIDE-.5;x*x+y*y<=radius*
radius&&inside++}return inside/SAMPLES_PER_SIDE**2}function stronger(opacity){return Math.min(.95,1.25*opacity+.1)}function mixed(pixel,r,g,b,share){
let r0=pixel&255,g0=pixel>>8&255,b0=pixel>>16&255;return 4278190080|b0+((b-b0)*share>>8)<<16|g0+((g-g0)*share>>8)<<8|r0+
((r-r0)*share>>8)}var LEGEND=[{name:"besides",label:"Not retrieved"},{name:"retrieved",label:"Not relevant"},{name:"relevant",label:"Relev\
ant"},{name:"found",label:"Core found"},{name:"missed",label:"Core missed"}],LINES=[{name:"labels",label:"Names of theme\
s"},{name:"contours",label:"Contours"}],OF_REGION=["retrieved","relevant"],ICON=16;function allShown(){return Object.fromEntries(
[...LEGEND,...LINES].map(({name})=>[name,!0]))}var Legend=class{constructor(toggle){this.buttons=Object.fromEntries(LEGEND.
map(({name,label})=>{let icon=make("canvas",{class:"legend-icon","aria-hidden":"true"}),button2=make("button",{type:"but\
ton",class:"legend-entry","data-role":name},icon,label);return button2.addEventListener("click",()=>toggle(name)),[name,
{button:button2,icon}]})),this.key=make("span",{class:"legend-key",hidden:""});let buttons=Object.values(this.buttons).map(
({button:button2})=>button2);this.element=make("div",{class:"legend",role:"group","aria-label":"Marks to show"},...buttons),
this.drawnFor=null}follow({colours,show:shown,points,theme},colourBy){for(let[name,{button:button2}]of Object.entries(this.
buttons))attribute(button2,"aria-pressed",String(shown[name])),show(button2,(colourBy==="region"||!OF_REGION.includes(name))&&
(name!=="besides"||hasBesides(points)));show(this.key,colourBy!=="region");let needs=[colours,colourBy,points];if(!this.
drawnFor?.every((need,i)=>need===needs[i])){this.drawnFor=needs;for(let[name,{icon}]of Object.entries(this.buttons))drawIcon(
icon,name,colours);colourBy!=="region"&&this.#fillKey(keyOf(colourBy,points,theme),points.header.categories[theme],colours)}}#fillKey({
title,ramp,low="",high="",names=[]},categories,colours){if(this.key.replaceChildren(make("span",{class:"key-title"},title)),
ramp){let bar=make("span",{class:"key-ramp"});bar.style.background=`linear-gradient(to right, ${ramp.filter((_,i)=>i%15===
0).join(", ")})`,this.key.append(make("span",{},low),bar,make("span",{},high));return}let entries=names.map((text,i)=>[text,
categories[i]]);title==="Theme"&&entries.push(["other",colours.not_relevant]);for(let[text,colour]of entries){let dot=make(
"span",{class:"key-dot"});dot.style.background=colour,this.key.append(make("span",{class:"key-name",title:text},dot,text))}}};
function drawIcon(canvas,name,colours){let scale=Math.min(2,globalThis.devicePixelRatio||1);canvas.width=canvas.height=ICON*
scale;let context=contextOf(canvas);context&&(context.scale(scale,scale),drawLegendMark(context,name,ICON/2,ICON/2,colours))}
function drawLegendMark(context,name,x,y,colours){if(context.save(),name==="found"||name==="missed")drawMark(context,name,
x,y,4.6,colours);else{context.fillStyle=name==="relevant"?colours.relevant:colours.not_relevant,context.globalAlpha=name===
"besides"?BESIDES_SHARE:1;for(let[dx,dy]of[[-3.2,1.8],[2.8,2.6],[.4,-3]])context.beginPath(),context.arc(x+dx,y+dy,name===
"besides"?1.2:2,0,2*Math.PI),context.fill()}context.restore()}function hasBesides({arrays}){return!!arrays.besides_x?.length}
var EARLY_SHARE=.02,YEAR_SPAN_OF=new WeakMap,COLOURINGS=[{value:"region",label:"Region",help:"Blue if the region calls i\
t relevant, grey if not"},{value:"decay",label:"Decay",help:"The decay left if a publication and all more similar ones w\
ere relevant"},{value:"year",label:"Year",help:"Year of publication"},{value:"theme",label:"Theme",help:"Theme of the la\
ndscape that contains the publication"},{value:"source",label:"Found by",help:"Number of query versions that retrieve it"}];
function colouringOf(how,{points,curve,colours,theme}){if(how==="region"||!COLOURINGS.some(({value})=>value===how)||how===
"decay"&&curve?.arrays.decay.length!==points.header.n+1)return null;let by={decay:byDecay,year:byYear,theme:byTheme,source:bySource}[how],
{indexOf,palette}=by(points,curve,colours,theme),index=new Uint8Array(points.header.n);for(let row=0;row<index.length;row++)
index[row]=indexOf(row);return{how,index,palette}}function keyOf(how,points,theme){let{header}=points;if(how==="decay")return{
title:"Decay left",ramp:header.ramps.decay[theme],low:"0",high:"1"};if(how==="year"){let{low,high,early}=yearSpan(points);
return{title:"Year",ramp:header.ramps.year[theme],low:`${early?"≤ ":""}${low}`,high:`${high}`}}let names=how==="theme"?
header.group_names??[]:(header.sources??[]).map((_,i)=>`by ${i+1}`);return{title:how==="theme"?"Theme":"Found",names:names.
slice(0,header.categories[theme].length)}}function byDecay(points,curve,colours,theme){let{decay}=curve.arrays;return{palette:points.
header.ramps.decay[theme],indexOf:row=>Math.round(255*decay[row])}}function byYear(points,curve,colours,theme){let{low,high}=yearSpan(
points),{year}=points.arrays,palette=[...points.header.ramps.year[theme].slice(0,255),colours.not_relevant],per=254/Math.
max(high-low,1),along=known=>Math.round(Math.min(Math.max((known-low)*per,0),254));return{palette,indexOf:row=>year[row]?
along(year[row]):255}}function byTheme(points,curve,colours,theme){let palette=[...points.header.categories[theme],colours.
not_relevant],{group}=points.arrays;return{palette,indexOf:row=>Math.min(group[row],palette.length-1)}}function bySource(points,curve,colours,theme){
let palette=[colours.not_relevant,...points.header.categories[theme]],{source}=points.arrays;return{palette,indexOf:row=>Math.
min(sourcesOf(source[row]),palette.length-1)}}function yearSpan(points){if(!YEAR_SPAN_OF.has(points)){let years=points.arrays.
year.slice(0,points.header.n).filter(year=>year>0).sort(),low=years[Math.floor(EARLY_SHARE*years.length)]??0;YEAR_SPAN_OF.
set(points,{low,high:years.at(-1)??0,early:years.length>0&&years[0]<low})}return YEAR_SPAN_OF.get(points)}var ROWS_PER_CELL=4,MOST_CELLS_PER_SIDE=384,GRIDS=new WeakMap;function gridOf(points){return GRIDS.has(points)||GRIDS.set(
points,new RowGrid(points.arrays.x,points.arrays.y)),GRIDS.get(points)}var RowGrid=class{constructor(x,y){this.x=x,this.
y=y,this.side=Math.max(1,Math.min(MOST_CELLS_PER_SIDE,Math.ceil(Math.sqrt(x.length/ROWS_PER_CELL))));let[x0,y0,x1,y1]=boundsOf(
x,y);this.x0=x0,this.y0=y0,this.perX=this.side/Math.max(x1-x0,1e-9),this.perY=this.side/Math.max(y1-y0,1e-9);let n=x.length;
this.starts=new Uint32Array(this.side*this.side+2);for(let row=0;row<n;row++)this.starts[this.#cellOf(row)+2]++;for(let cell=2;cell<
this.starts.length;cell++)this.starts[cell]+=this.starts[cell-1];this.rows=new Uint32Array(n);for(let row=0;row<n;row++)
this.rows[this.starts[this.#cellOf(row)+1]++]=row}nearest(px,py,reach,head=(()=>0)){let best=-1,least=reach,[i0,i1,j0,j1]=this.#cells(
px-reach,py-reach,px+reach,py+reach);for(let j=j0;j<=j1;j++){let from=this.starts[j*this.side+i0],to=this.starts[j*this.
side+i1+1];for(let k=from;k<to;k++){let row=this.rows[k],away=Math.hypot(this.x[row]-px,this.y[row]-py);away>reach||away-
head(row)>least||(best=row,least=away-head(row))}}return best}inside(polygon){let[left,low,right,high]=boundsOf(polygon.
filter((_,i)=>i%2===0),polygon.filter((_,i)=>i%2)),found=[],[i0,i1,j0,j1]=this.#cells(left,low,right,high);for(let j=j0;j<=
j1;j++)for(let k=this.starts[j*this.side+i0];k<this.starts[j*this.side+i1+1];k++){let row=this.rows[k];isInside(polygon,
this.x[row],this.y[row])&&found.push(row)}return Uint32Array.from(found).sort()}#cellOf(row){let i=this.#clamp((this.x[row]-
this.x0)*this.perX);return this.#clamp((this.y[row]-this.y0)*this.perY)*this.side+i}#cells(left,low,right,high){return[this.#clamp(
(left-this.x0)*this.perX),this.#clamp((right-this.x0)*this.perX),this.#clamp((low-this.y0)*this.perY),this.#clamp((high-
this.y0)*this.perY)]}#clamp(cell){return cell>0?Math.min(Math.floor(cell),this.side-1):0}};function isInside(polygon,x,y){
let inside=!1,n=polygon.length;for(let i=0,j=n-2;i<n;j=i,i+=2){let yi=polygon[i+1],yj=polygon[j+1];yi>y!=yj>y&&x<(polygon[j]-
polygon[i])*(y-yi)/(yj-yi)+polygon[i]&&(inside=!inside)}return inside}var HoverCard=class{constructor(){this.title=make(
"p",{class:"card-title"}),this.facts=make("p",{class:"card-facts"}),this.why=make("p",{class:"card-why"}),this.element=make(
"div",{class:"hover-card","aria-hidden":"true",hidden:""}),this.element.append(this.title,this.facts,this.why),this.row=
-1}show(row,px,py,width,height,scene,live){this.row=row;let{points,relevance}=scene;write(this.title,titlesOf(points).title(
row)||"Untitled"),write(this.facts,factsOf(row,points,relevance).join(" · ")),write(this.why,whyOf(row,points,relevance,
live)),show(this.element,!0);let{x,y}=placeCard(px,py,this.element.offsetWidth,this.element.offsetHeight,width,height);this.
element.style.transform=`translate(${x}px, ${y}px)`}hide(){this.row=-1,show(this.element,!1)}};function factsOf(row,{header,
arrays},relevance){let facts=[];return arrays.year[row]&&facts.push(String(arrays.year[row])),facts.push(`similarity ${fixedThree(
arrays.similarity[row])}`),row>=header.n?facts.push("core missed"):arrays.core[row]&&facts.push(relevance.has(row)?"core\
 found and accepted":"core found"),facts}function whyOf(row,{header,arrays},relevance,live){if(row>=header.n)return"The \
query did not retrieve it, so no region can accept it.";let inside=relevance.has(row);if(live.region==="cosine"&&!relevance.
reason){let least=fixedThree(live.min_similarity),close=fixedThree(arrays.similarity[row])===least?"at":inside?"above":"\
below";return`${inside?"Relevant":"Not relevant"}: its similarity is ${close} the similarity threshold of ${least}.`}let label=header.
kinds.find(({kind})=>kind===live.region)?.label??live.region;return relevance.reason?`${label} is undefined: ${relevance.
reason}.`:inside?`Relevant: ${label} accepts it.`:`Not relevant: ${label} excludes it.`}var OUTLINES={mvee:{role:"ellipsoid",dash:[8,4]},hull:{role:"hull",dash:[]}},PATHS_OF=new WeakMap,LABEL_SIZES=[13,12,11],
LEVEL_FROM=[0,1.35,3],LABEL_GAP=6,LABEL_LIMIT=40,LABEL_ROOM={top:46,bottom:38},Overlay=class{constructor(canvas){this.canvas=
canvas,this.context=contextOf(canvas,{willReadFrequently:!0}),this.font="sans-serif"}resize(width,height,scale){this.scale=
scale,this.width=width,this.height=height,this.canvas.width=Math.max(1,Math.round(width*scale)),this.canvas.height=Math.
max(1,Math.round(height*scale))}draw(scene){let{context,scale}=this;context.setTransform(scale,0,0,scale,0,0),context.clearRect(
0,0,this.width,this.height),scene.show.contours&&this.#contours(scene),scene.regions&&this.#outlines(scene),scene.show.labels&&
this.#labels(scene),this.#focus(scene)}#stroke(path,camera){let{context,scale}=this,s=camera.scale*scale;context.setTransform(
s,0,0,-s,camera.pixelX(0)*scale,camera.pixelY(0)*scale),context.lineWidth/=camera.scale,context.setLineDash(context.getLineDash().
map(dash=>dash/camera.scale)),context.stroke(path),context.setTransform(scale,0,0,scale,0,0),context.setLineDash([])}#contours({
points,camera,colours}){let{context}=this;context.strokeStyle=colours.faint;for(let[depth,path]of contourPaths(points).entries())
context.globalAlpha=.3+.06*depth,context.lineWidth=1,this.#stroke(path,camera);context.globalAlpha=1}#outlines({regions,
camera,colours,region,hovered}){let{context}=this;for(let[kind,path]of outlinePaths(regions)){let current=kind===region;
!current&&kind!==hovered||(context.strokeStyle=colours[OUTLINES[kind].role],context.globalAlpha=current?1:.5,context.lineWidth=
current?2.4:1.3,context.setLineDash(OUTLINES[kind].dash),this.#stroke(path,camera))}context.globalAlpha=1}#labels({points,
camera,colours}){let{context}=this;context.textAlign="center",context.textBaseline="middle",context.lineJoin="round",context.
lineWidth=3.5;let measure=(text,level)=>(context.font=labelFont(level,this.font),context.measureText(text).width);for(let{
text,level,px,py}of placedLabels(points.header.groups??[],camera,measure))context.font=labelFont(level,this.font),context.
strokeStyle=colours.background,context.globalAlpha=.85,context.strokeText(text,px,py),context.globalAlpha=1,context.fillStyle=
colours.text,context.fillText(text,px,py)}#focus({points,camera,colours,focused}){if(focused===null||focused>=points.arrays.
x.length)return;let px=camera.pixelX(points.arrays.x[focused]),py=camera.pixelY(points.arrays.y[focused]);drawMark(this.
context,"focused",px,py,MARK_RADII.focused,colours)}};function contourPaths(points){return PATHS_OF.has(points)||PATHS_OF.
set(points,contoursOf(points).map(pathOf)),PATHS_OF.get(points)}function outlinePaths(regions){if(!PATHS_OF.has(regions)){
let kinds=Object.keys(OUTLINES).filter(kind=>regions.arrays[`outline_${kind}`]?.length);PATHS_OF.set(regions,kinds.map(kind=>[
kind,pathOf([regions.arrays[`outline_${kind}`]])]))}return PATHS_OF.get(regions)}function pathOf(lines){let path=new Path2D;
for(let line of lines){path.moveTo(line[0],line[1]);for(let i=2;i<line.length;i+=2)path.lineTo(line[i],line[i+1]);path.closePath()}
return path}function labelFont(level,family){return`${level===0?600:500} ${LABEL_SIZES[level]??11}px ${family}`}function placedLabels(groups,camera,measure){
let placed=[],wanted=groups.filter(({level})=>camera.closeness>=(LEVEL_FROM[level]??3));wanted.sort((a,b)=>a.level-b.level||
b.n-a.n);for(let{text,x,y,level}of wanted){let px=camera.pixelX(x),py=camera.pixelY(y);if(px<0||py<LABEL_ROOM.top||px>camera.
width||py>camera.height-LABEL_ROOM.bottom)continue;let width=measure(text,level),box={text,level,px:Math.min(Math.max(px,
width/2+4),camera.width-width/2-4),py,width};if(!placed.some(other=>overlap(box,other))&&(placed.push(box),placed.length>=
LABEL_LIMIT))break}return placed}function overlap(a,b){let high=((LABEL_SIZES[a.level]??11)+(LABEL_SIZES[b.level]??11))/
2+LABEL_GAP;return Math.abs(a.px-b.px)<(a.width+b.width)/2+LABEL_GAP&&Math.abs(a.py-b.py)<high}var CELLS=120,SMOOTHING=[
[1e3,5],[5e3,3],[1/0,2]],CONTOURS_OF=new WeakMap,CONTOUR_SHARES=[.95,.8,.55,.3];function contoursOf(points){if(!CONTOURS_OF.
has(points)){let{arrays,header}=points,grid=densityGrid(arrays.x,arrays.y,header.n,header.bounds);CONTOURS_OF.set(points,
levelsAt(grid,CONTOUR_SHARES).map(level=>contourLines(grid,level)))}return CONTOURS_OF.get(points)}function densityGrid(x,y,n,[
x0,y0,x1,y1]){let step=Math.max(x1-x0,y1-y0,1e-9)/CELLS,reach=SMOOTHING.find(([most])=>n<most)?.[1]??0,margin=3*reach+2,
wide=Math.ceil((x1-x0)/step)+1+2*margin,high=Math.ceil((y1-y0)/step)+1+2*margin,grid={values:new Float32Array(wide*high),
wide,high,step,x0:x0-margin*step,y0:y0-margin*step};for(let row=0;row<n;row++){let i=Math.round((x[row]-grid.x0)/step),j=Math.
round((y[row]-grid.y0)/step);i>=margin&&j>=margin&&i<wide-margin&&j<high-margin&&grid.values[j*wide+i]++}let scratch=new Float32Array(
grid.values.length);for(let pass=0;pass<3;pass++)smooth(grid.values,scratch,wide,high,1,wide,reach),smooth(scratch,grid.
values,high,wide,wide,1,reach);return grid}function smooth(from,to,along,across,step,line,reach){for(let j=0;j<across;j++){
let sum=0;for(let i=-reach;i<along;i++)i+reach<along&&(sum+=from[j*line+(i+reach)*step]),i-reach-1>=0&&(sum-=from[j*line+
(i-reach-1)*step]),i>=0&&(to[j*line+i*step]=sum/(2*reach+1))}}function levelsAt(grid,shares){let sorted=Float32Array.from(
grid.values).sort().reverse(),total=sorted.reduce((sum,value)=>sum+value,0);return shares.map(share=>{let held=0;for(let value of sorted)
if((held+=value)>=share*total)return value;return 0}).filter(level=>level>0)}function contourLines(grid,level){let links=crossings(
grid,level),done=new Set,lines=[];for(let first of links.keys()){if(done.has(first))continue;let line=[],before=-1,edge=first;
for(;edge!==void 0&&!done.has(edge);){done.add(edge),line.push(...placeOnEdge(grid,edge,level));let next=links.get(edge).
find(other=>other!==before&&!done.has(other));before=edge,edge=next}line.length>=6&&lines.push(Float32Array.from(line))}
return lines}function crossings({values,wide,high},level){let links=new Map,link=(a,b)=>{links.has(a)||links.set(a,[]),links.
has(b)||links.set(b,[]),links.get(a).push(b),links.get(b).push(a)};for(let j=0;j<high-1;j++)for(let i=0;i<wide-1;i++){let corner=j*
wide+i,a=values[corner]>level,b=values[corner+1]>level,c=values[corner+wide+1]>level,d=values[corner+wide]>level;if(a===
b&&b===c&&c===d)continue;let[below,right,above,left]=[2*corner,2*corner+3,2*(corner+wide),2*corner+1],edges=[below,right,
above,left],crosses=[a!==b,b!==c,c!==d,d!==a],crossed=edges.filter((_,side)=>crosses[side]);crossed.length===2?link(crossed[0],
crossed[1]):joinSaddle(link,edges,a,middleAbove(values,corner,wide,level))}return links}function middleAbove(values,corner,wide,level){
return(values[corner]+values[corner+1]+values[corner+wide]+values[corner+wide+1])/4>level}function joinSaddle(link,[below,
right,above,left],firstAbove,middle){firstAbove===middle?(link(below,right),link(above,left)):(link(below,left),link(above,
right))}function placeOnEdge({values,wide,step,x0,y0},edge,level){let corner=edge>>1,upward=edge&1,from=values[corner],share=(level-
from)/(values[corner+(upward?wide:1)]-from),i=corner%wide,j=(corner-i)/wide;return upward?[x0+i*step,y0+(j+share)*step]:
[x0+(i+share)*step,y0+j*step]}var PNG_SCALE=2,HEAD=58,FOOT=62,EDGE=20,CAPTION="Distances are not cosines: only neighbourhoods are reliable.";function headOf({
points,relevance},live){let{header}=points,label=header.kinds.find(({kind})=>kind===live.region)?.label??live.region,by=live.
region==="cosine"?`similarity ≥ ${fixedThree(live.min_similarity)}`:label,counts=relevance.reason?`${label} is undefin\
ed: ${relevance.reason}`:`${count(relevance.nRelevant)} of ${count(relevance.n)} publications relevant (${by}), ${count(
relevance.nAccepted)} of ${count(header.n_core)} core publications accepted`;return{title:`${topicTitle(header)}: ${header.
version}`,counts}}function pngOf(scene,live,font){let{camera,colours}=scene,canvas=document.createElement("canvas");canvas.
width=camera.width*PNG_SCALE,canvas.height=(camera.height+HEAD+FOOT)*PNG_SCALE;let context=contextOf(canvas);context.fillStyle=
colours.background,context.fillRect(0,0,canvas.width,canvas.height);let lines=new Overlay(document.createElement("canvas"));
lines.font=font;for(let layer of[new Splat(document.createElement("canvas")),lines])layer.resize(camera.width,camera.height,
PNG_SCALE),layer.draw(scene),context.drawImage(layer.canvas,0,HEAD*PNG_SCALE);return context.scale(PNG_SCALE,PNG_SCALE),
drawHead(context,scene,live,font),drawFoot(context,scene,font),new Promise(resolve=>canvas.toBlob(resolve,"image/png"))}
function drawHead(context,scene,live,font){let{title,counts}=headOf(scene,live);context.textBaseline="alphabetic",context.
fillStyle=scene.colours.text,context.font=`600 18px ${font}`,context.fillText(title,EDGE,26,scene.camera.width-2*EDGE),context.
fillStyle=scene.colours.faint,context.font=`13px ${font}`,context.fillText(counts,EDGE,46,scene.camera.width-2*EDGE)}function drawFoot(context,scene,font){
let{camera,colours}=scene,y=HEAD+camera.height+22;context.font=`12px ${font}`;let x=EDGE;for(let{name,label,colour}of footEntries(
scene))colour?(context.fillStyle=colour,context.fillRect(x,y-9,name==="ramp"?5:9,9)):name&&drawLegendMark(context,name,x+
6,y-4,colours),context.fillStyle=colours.text,context.fillText(label,x+(name==="ramp"?0:17),y),x+=name==="ramp"?5:context.
measureText(label).width+33;context.fillStyle=colours.faint,context.fillText(captionOf(scene),EDGE,y+24,camera.width-2*EDGE)}
function captionOf({points}){return points.header.embedder?`${CAPTION} Embedding: ${points.header.embedder}.`:CAPTION}function footEntries({
show:show2,colouring,points,theme,colours}){let marks=LEGEND.filter(({name})=>show2[name]&&(name!=="besides"||hasBesides(
points)));if(!colouring)return marks;let{title,ramp,low,high,names=[]}=keyOf(colouring.how,points,theme),rest=marks.filter(
({name})=>name==="found"||name==="missed");if(ramp){let steps=ramp.filter((_,i)=>i%15===0).map(colour=>({name:"ramp",label:"",
colour}));return[{label:`${title} ${low}`},...steps,{label:high??""},...rest]}let categories=names.map((label,i)=>({name:"\
category",label,colour:points.header.categories[theme][i]})),other={name:"category",label:"other",colour:colours.not_relevant};
return[...categories,...title==="Theme"?[other]:[],...rest]}function svgOf(scene,splat,live,font){let{camera,colours}=scene,
high=camera.height+HEAD+FOOT,{title,counts}=headOf(scene,live),root=svgSheet(camera.width,high,{title,description:`${counts}\
. ${captionOf(scene)}`,background:colours.background,"font-family":font}),clip=svgElement("clipPath",{id:"frame"});clip.
append(svgElement("rect",{width:camera.width,height:camera.height}));let inner=svgElement("g",{transform:`translate(0 ${HEAD}\
)`,"clip-path":"url(#frame)"});return inner.append(...vectorBesides(scene),...vectorDots(scene,splat),...vectorLines(scene),
vectorCore(scene),...vectorLabels(scene,font)),root.append(clip,inner,...vectorWords(scene,title,counts)),svgText(root)}
function vectorBesides({points,camera,colours,show:show2}){let{besides_x:x=[],besides_y:y=[]}=points.arrays;if(!show2.besides||
!x.length)return[];let dots=Array.from(x,(_,row)=>`M${camera.pixelX(x[row]).toFixed(1)} ${camera.pixelY(y[row]).toFixed(
1)}h0`),look={fill:"none","stroke-linecap":"round","stroke-width":2,"stroke-opacity":BESIDES_SHARE};return[svgElement("p\
ath",{d:dots.join(""),stroke:colours.not_relevant,...look})]}function vectorDots({points,camera,relevance,colours,colouring,
show:show2},splat){let{x,y}=points.arrays,paths=new Map;for(let row=0;row<points.header.n;row++){let px=camera.pixelX(x[row]),
py=camera.pixelY(y[row]);if(px<-4||py<-4||px>camera.width+4||py>camera.height+4)continue;let relevant=relevance.has(row);
if(!colouring&&!show2[relevant?"relevant":"retrieved"])continue;let byRegion=relevant?colours.relevant:colours.not_relevant,
colour=colouring?colouring.palette[colouring.index[row]]:byRegion;paths.has(colour)||paths.set(colour,[]),paths.get(colour).
push(`M${px.toFixed(1)} ${py.toFixed(1)}h0`)}return[...paths].map(([stroke,dots])=>svgElement("path",{d:dots.join(""),stroke,
fill:"none","stroke-linecap":"round","stroke-width":(2*splat.dotRadius).toFixed(2),"stroke-opacity":Math.min(1,splat.opacity+
.2).toFixed(2)}))}function vectorLines({points,regions,camera,colours,show:show2,region}){let lines=[];if(show2.contours)
for(let level of contoursOf(points)){let d=level.map(line=>vectorPath(line,camera)).join("");lines.push(svgElement("path",
{d,fill:"none",stroke:colours.faint,"stroke-opacity":.3}))}for(let[kind,{role,dash}]of Object.entries(OUTLINES)){let outline=regions?.
arrays[`outline_${kind}`];!outline?.length||kind!==region||lines.push(svgElement("path",{d:vectorPath(outline,camera),fill:"\
none",stroke:colours[role],"stroke-dasharray":dash.join(" "),"stroke-width":2.4}))}return lines}function vectorPath(line,camera){
let places=[];for(let i=0;i<line.length;i+=2)places.push(`${camera.pixelX(line[i]).toFixed(1)} ${camera.pixelY(line[i+1]).
toFixed(1)}`);return`M${places.join("L")}Z`}function vectorCore({points,camera,relevance,colours,show:show2}){let{found,
missed}=countsOf(points).rows,titles=titlesOf(points),group=svgElement("g"),radius=MARK_RADII.found*coreShrink(found.length+
missed.length),mark=(row,look)=>{let cx=camera.pixelX(points.arrays.x[row]).toFixed(1),cy=camera.pixelY(points.arrays.y[row]).
toFixed(1),circle=svgElement("circle",{cx,cy,r:radius,...look});circle.append(svgElement("title",{},titles.title(row))),
group.append(circle)},looks={missed:{fill:colours.background,stroke:colours.core,"stroke-width":1.7},accepted:{fill:colours.
core,stroke:colours.core_edge,"stroke-width":1.4},found:{fill:colours.core,stroke:colours.background,"stroke-width":.9}};
if(show2.missed)for(let row of missed)mark(row,looks.missed);if(show2.found)for(let row of found)mark(row,relevance.has(
row)?looks.accepted:looks.found);return group}function vectorLabels({points,camera,colours,show:show2},font){if(!show2.labels)
return[];let context=contextOf(document.createElement("canvas")),measure=(text,level)=>(context.font=labelFont(level,font),
context.measureText(text).width),look={"text-anchor":"middle",fill:colours.text,stroke:colours.background,"stroke-width":3.5,
"stroke-linejoin":"round","paint-order":"stroke"};return placedLabels(points.header.groups??[],camera,measure).map(({text,
level,px,py})=>{let[weight,size,...family]=labelFont(level,font).split(" "),face={"font-weight":weight,"font-size":size,
"font-family":family.join(" ")};return svgElement("text",{...look,x:px.toFixed(1),y:(py+4).toFixed(1),...face},text)})}function vectorWords(scene,title,counts){
let{camera,colours}=scene,y=HEAD+camera.height+22,words=[svgElement("text",{x:EDGE,y:26,"font-size":18,"font-weight":600,
fill:colours.text},title),svgElement("text",{x:EDGE,y:46,"font-size":13,fill:colours.faint},counts),svgElement("text",{x:EDGE,
y:y+24,"font-size":12,fill:colours.faint},captionOf(scene))],x=EDGE;for(let{name,label,colour}of footEntries(scene)){let width=name===
"ramp"?5:9;name&&words.push(vectorMark(name,x,y,width,colour,colours)),label&&words.push(svgElement("text",{x:x+17,y,"fo\
nt-size":12,fill:colours.text},label)),x+=name==="ramp"?width:label.length*6.4+33}return words}function vectorMark(name,x,y,width,colour,colours){
if(colour)return svgElement("rect",{x,y:y-9,width,height:9,fill:colour});let looks={retrieved:{fill:colours.not_relevant},
relevant:{fill:colours.relevant},found:{fill:colours.core,stroke:colours.core_edge,"stroke-width":1.5},missed:{fill:colours.
background,stroke:colours.core,"stroke-width":1.7},besides:{fill:colours.not_relevant,"fill-opacity":BESIDES_SHARE}};return svgElement(
"circle",{cx:x+6,cy:y-4,r:4.6,...looks[name]})}var SHARPEST=2,FOOT_GAP=16,ZOOM_KEY=/Mac|iP(ad|hone)/.test(globalThis.navigator?.platform??"")?"⌘":"Ctrl",HINT_MS=1200,
Stage=class{constructor(){this.points=make("canvas",{class:"layer","data-testid":"landscape-points","aria-hidden":"true"}),
this.lines=make("canvas",{class:"layer lines","data-testid":"landscape-overlay",tabindex:"0",role:"application","aria-la\
bel":"Landscape"}),this.lasso=svgElement("path",{class:"lasso"}),this.ring=svgElement("circle",{class:"hover-ring",r:7,visibility:"\
hidden"}),this.handLayer=svgElement("svg",{class:"layer hand-layer","aria-hidden":"true"}),this.handLayer.append(this.lasso,
this.ring),this.message=make("div",{class:"stage-message",hidden:""}),this.hint=make("div",{class:"zoom-hint","aria-hidd\
en":"true"},`Hold ${ZOOM_KEY} to zoom`),this.element=make("div",{class:"stage"},this.points,this.lines,this.handLayer,this.
hint,this.message),this.splat=new Splat(this.points),this.overlay=new Overlay(this.lines),this.foot=null,this.works=!!(this.
splat.context&&this.overlay.context),this.camera=new Camera,this.scene={camera:this.camera,show:allShown(),colouring:null,
picked:new Uint32Array(0),typed:null,focused:null,hovered:null},this.stale={dress:!0,place:!0,gather:!0,lines:!0}}resize(){
let{clientWidth:width,clientHeight:height}=this.element,scale=Math.min(SHARPEST,globalThis.devicePixelRatio||1),{camera,
splat}=this;return!this.works||!width||!height||width===camera.width&&height===camera.height&&scale===splat.scale?!1:(camera.
insets.bottom=Math.max(INSETS.bottom,(this.foot?.offsetHeight??0)+FOOT_GAP),camera.resize(width,height),splat.resize(width,
height,scale),this.overlay.resize(width,height,scale),this.spoil("dress","place"),!0)}spoil(...what){for(let name of what)
this.stale[name]=!0}draw(change,splitBefore){let{splat,scene,stale}=this;!this.works||!this.camera.width||(stale.dress&&
splat.dress(scene),stale.place&&splat.place(scene),(stale.place||stale.dress)&&splat.lay(scene),stale.place||stale.gather||
change==="all"?splat.gather(scene):change==="split"&&splat.shift(splitBefore,scene.relevance.split),splat.paint(scene),(stale.
place||stale.lines||stale.dress)&&this.overlay.draw(scene),stale.dress=stale.place=stale.gather=stale.lines=!1)}sayZoom(){
clearTimeout(this.hiding),this.hint.classList.add("on"),this.hiding=setTimeout(()=>this.hint.classList.remove("on"),HINT_MS)}drawLasso(path){
attribute(this.lasso,"d",path?`M${path.map(at=>at.toFixed(1)).join(" ")}Z`:null)}drawRing(row){let{points}=this.scene;attribute(
this.ring,"visibility",row<0?"hidden":"visible"),!(row<0)&&(attribute(this.ring,"cx",this.camera.pixelX(points.arrays.x[row]).
toFixed(1)),attribute(this.ring,"cy",this.camera.pixelY(points.arrays.y[row]).toFixed(1)))}say(text,button2=null){show(this.
message,text!==null),this.element.classList.toggle("without-picture",text!==null),attribute(this.lines,"tabindex",text===
null?0:-1),text!==null&&this.message.replaceChildren(make("p",{},text),...button2?[button2]:[])}};var Toolbar=class{constructor(store,actions){this.store=store,this.actions=actions,this.points=null,this.find=make("inpu\
t",{type:"search",class:"field find",placeholder:"Find in titles","aria-label":"Find in titles","data-testid":"find",autocomplete:"\
off",spellcheck:"false"}),this.find.addEventListener("input",()=>this.#search()),this.find.addEventListener("keydown",event=>this.#keyInFind(
event)),this.findNote=make("span",{class:"note",role:"status",hidden:""}),this.pickText=make("span",{});let says="Clear \
the picked publications",clear=button("×",()=>actions.clear(),{kind:"note-clear","aria-label":says,title:says});this.pickNote=
make("span",{class:"note picked",hidden:""},this.pickText,clear),this.notice=make("span",{class:"note notice",role:"stat\
us",hidden:""});let findBox=make("div",{class:"find-box"},this.find,this.findNote,this.pickNote,this.notice),options=COLOURINGS.
map(({value,label,help})=>make("option",{value,title:help},label)),look={class:"field colour-by","aria-label":"Colour by",
title:"Colour by"};this.colours=make("select",{...look,"data-setting":"colour_by"},...options),this.colours.addEventListener(
"change",()=>actions.colourBy(this.colours.value));let colourBy=make("label",{class:"colour-label"},make("span",{class:"\
only-wide"},"Colour by"),this.colours);this.lasso=toolButton("Lasso: draw around publications to pick them","lasso"),this.
lasso.addEventListener("click",()=>actions.lasso(this.lasso.getAttribute("aria-pressed")!=="true")),this.setLasso(!1);let home=toolButton(
"Show the whole landscape","home");home.addEventListener("click",()=>actions.home());let lines=LINES.map(({name,label})=>{
let box=make("input",{type:"checkbox",checked:"","data-role":name});return box.addEventListener("change",()=>actions.toggle(
name)),make("label",{class:"menu-entry"},box,label)}),files=["PNG","SVG"].map(kind=>button(`Save as ${kind}`,()=>{actions.
save(kind),this.menu.open(!1)},{kind:"menu-entry"})),panel=make("div",{class:"menu",role:"group","aria-label":"Picture"},
...lines,...files);this.menu=new Foldout(button("Picture",()=>{},{kind:"tool words more"}),panel);let buttons=make("div",
{class:"tools-right"},colourBy,this.lasso,home,this.menu.opener,panel);this.element=make("div",{class:"tools"},findBox,buttons)}destroy(){
this.menu.destroy()}#search(){let{points}=this.store;points&&this.store.find(titlesOf(points).find(this.find.value))}#keyInFind(event){
event.stopPropagation(),event.key==="Enter"&&this.store.found?.length&&this.store.focusOn(this.store.found[this.store.found.
length-1]),event.key==="Escape"&&(this.find.value="",this.#search())}setLasso(on){attribute(this.lasso,"aria-pressed",String(
on))}describe(points){if(this.points===points)return;this.points=points;let{sources=[],group_names:names=[]}=points.header,
lacking={source:sources.length<2,theme:names.length===0};for(let option of this.colours.options)option.disabled=!!lacking[option.
value];this.find.value.trim().length>=SHORTEST_FIND&&this.#search()}follow(relevance,live,notice){let{found,picked}=this.
store,how=live.colour_by??"region";this.colours.value!==how&&(this.colours.value=how),show(this.findNote,found!==null),found?.
length?write(this.findNote,relevantAmong(countOf(found.length,"title"),found,relevance)):write(this.findNote,"No title"),
show(this.pickNote,picked.length>0),picked.length&&write(this.pickText,relevantAmong(`${count(picked.length)} picked`,picked,
relevance)),show(this.notice,!!notice),write(this.notice,notice??"")}};function relevantAmong(counted,rows,relevance){return relevance.
reason?counted:`${counted}, ${count(countRelevant(rows,relevance))} of them relevant`}var SAMPLES=120,HIGH=60,DecayCurve=class{constructor(){this.line=svgElement("path",{class:"curve"}),this.needle=svgElement(
"path",{class:"decay-needle"});let picture=svgElement("svg",{viewBox:`0 0 ${SAMPLES} ${HIGH}`,preserveAspectRatio:"none",
"aria-hidden":"true"});picture.append(this.line,this.needle),this.words=make("figcaption",{}),this.element=make("figure",
{class:"decay-curve"},picture,this.words),this.drawn=null}clear(){this.drawn=null,this.line.removeAttribute("d")}draw({header:{
n}},curve){if(curve?.arrays.decay.length!==n+1||this.drawn===curve)return;this.drawn=curve;let places=Array.from({length:SAMPLES+
1},(_,k)=>{let left=curve.arrays.decay[n-Math.round(k/SAMPLES*n)];return`${k} ${(HIGH-(HIGH-2)*left).toFixed(1)}`});this.
line.setAttribute("d",`M${places.join("L")}`),write(this.words,`Decay left (from 1 down to 0) as 0 to ${count(n)} public\
ations count as relevant`)}follow({n,nRelevant}){let at=n?SAMPLES*nRelevant/n:0;this.needle.setAttribute("d",`M${at.toFixed(
1)} 0V${HIGH}`)}};var MORE=["decay_limit","decay_onset","decay_steepness","beta"],KEPT_ON_RESET=["region","colour_by"],TuningStrip=class{points;constructor(store,commits){
this.store=store,this.commits=commits,this.defaults={},this.marks="",this.heading=make("span",{class:"strip-name"}),this.
mode=make("select",{class:"field asks-python","data-setting":"cosine_mode"}),this.mode.addEventListener("change",()=>commits.
now({cosine_mode:this.mode.value,region:"cosine"})),this.help=make("p",{class:"strip-help"}),this.sparkline=new Sparkline,
this.ticks=make("span",{class:"ticks"});let needle=make("span",{class:"needle","aria-hidden":"true"});this.track=make("d\
iv",{class:"track"},this.sparkline.element,needle,this.ticks),this.threshold=this.#slider("min_similarity",fixedAt,{testid:"\
min-similarity"},"hold"),this.ticks.before(this.threshold.range);let share=value=>({min_core_share:value,region:"cluster"});
this.share=this.#slider("min_core_share",share,{className:"wide"},"hold");let quantile=value=>({quantile:value,cosine_mode:"\
quantile",region:"cosine"});this.quantile=this.#slider("quantile",quantile,{className:"stacked quantile"},"soon"),this.more=
Object.fromEntries(MORE.map(name=>[name,this.#slider(name,value=>({[name]:value}),{className:"stacked"},"soon")])),this.
moreButton=button("More",()=>{},{kind:"quiet more asks-python",title:"Decay and beta"}),this.decay=new DecayCurve,this.panel=
make("div",{class:"panel",role:"group","aria-label":"Decay and beta"},make("p",{class:"panel-title"},"Decay and beta"),this.
decay.element,make("div",{class:"panel-sliders"},...MORE.map(name=>this.more[name].element))),this.foldout=new Foldout(this.
moreButton,this.panel),this.reset=toolButton("Reset: restore the initial settings","reset"),this.reset.addEventListener(
"click",()=>this.#resetAll());let link=copyLinkButton();link.classList.add("asks-python"),this.buttons=make("div",{class:"\
strip-buttons"},this.moreButton,this.reset,link);let named=make("div",{class:"strip-head"},this.heading,this.mode);this.
element=make("div",{class:"strip"},named,this.track,this.threshold.output,this.quantile.element,this.share.element,this.
help,this.buttons,this.panel),this.beside=make("div",{class:"queryscape landscape tuning"})}moveTo(place){if(this.beside.
parentNode!==place){place.append(this.beside),this.moreButton.hidden=!0,this.foldout.destroy(),show(this.panel,!0),this.
reset.replaceChildren("Reset");for(let tool of this.buttons.querySelectorAll(".tool"))tool.classList.add("words");this.beside.
append(this.panel,this.buttons)}}#slider(name,patch,look,moving){return new Slider({name,...look},{input:value=>this.commits[moving](
patch(value)),rest:(value,byKey)=>this.commits[byKey?"resting":"now"](patch(value))})}#resetAll(){let patch={...this.defaults};
for(let name of Object.keys(patch))(patch[name]===null||KEPT_ON_RESET.includes(name))&&delete patch[name];this.commits.now(
patch)}destroy(){this.foldout.destroy(),this.beside.remove()}describe(points,marks,defaults){this.defaults=defaults??{};
let{controls}=points.header;if(points!==this.points){this.points=points,this.sparkline.clear(),this.decay.clear(),this.#describeThreshold(
points),this.#describeModes(controls.cosine_mode);let sliders={quantile:this.quantile,min_core_share:this.share,...this.
more};for(let[name,slider]of Object.entries(sliders))slider.describe(controls[name]),attribute(slider.range,"aria-label",
controls[name].label)}this.#setMarks(marks??[])}#describeThreshold({header,arrays}){let{label,help}=header.controls.min_similarity,
min=header.n?Math.floor(arrays.similarity[0]*1e3)/1e3:0,max=header.n?Math.ceil(arrays.similarity[header.n-1]*1e3)/1e3:1;
this.threshold.describe({label,help,min,max:Math.max(max,min+.001),step:.001}),attribute(this.threshold.range,"aria-labe\
l",label),attribute(this.track,"title",help)}#describeModes({label,help,options}){attribute(this.mode,"aria-label",label),
attribute(this.mode,"title",help),setOptions(this.mode,options.map(option=>[option.value,option.label,option.help]))}#setMarks(marks){
let known=JSON.stringify([marks,this.threshold.scale]);if(known===this.marks)return;this.marks=known;let{min,max}=this.threshold.
scale;this.ticks.replaceChildren(...marks.filter(({at})=>Number.isFinite(at)).map(({at,label})=>{let text=`${label}: ${significant(
at)}`,tick=button("",()=>this.commits.now(fixedAt(at)),{kind:"tick",title:text,"aria-label":`Set the similarity threshol\
d to ${text}`});return tick.style.setProperty("--along",String(Math.min(Math.max((at-min)/(max-min),0),1))),tick}))}follow(relevance){
let{live,curve}=this.store,{region}=live,cosine=region==="cosine",{kinds,controls}=this.points.header,kind=kinds.find(each=>each.
kind===region);write(this.heading,cosine?controls.min_similarity.label:kind?.label??""),attribute(this.heading,"title",kind?.
help);for(let shown of[this.mode,this.track,this.threshold.output])show(shown,cosine);show(this.quantile.element,cosine&&
live.cosine_mode==="quantile"),show(this.share.element,region==="cluster"),show(this.help,!cosine&&region!=="cluster"),write(
this.help,kind?.help??""),cosine&&this.#followThreshold(live,curve,relevance),this.quantile.set(live.quantile),this.share.
set(live.min_core_share);for(let[name,slider]of Object.entries(this.more))slider.set(live[name]);this.decay.draw(this.points,
curve),this.decay.follow(relevance)}#followThreshold({min_similarity:value,cosine_mode:mode},curve,relevance){this.mode.
value!==mode&&(this.mode.value=mode);let{min,max}=this.threshold.scale;this.sparkline.draw(this.points,curve,min,max);let isFound=mode===
"fixed"||relevance.n>0,spoken=`${significant(value)}: ${count(relevance.nRelevant)} of ${count(relevance.n)} relevant`;this.
threshold.set(value,isFound?fixedThree(value):"–",isFound?spoken:"no threshold: nothing was retrieved"),this.track.style.
setProperty("--along",String(this.threshold.along))}};function fixedAt(value){return{min_similarity:value,cosine_mode:"f\
ixed",region:"cosine"}}var TUNING_KEYS=["region","cosine_mode","min_similarity","quantile","min_core_share","decay_limit",
"decay_onset","decay_steepness","beta","colour_by"],SEQ_OF=new WeakMap,OFTEN_MS=300,REST_MS=250,Commits=class{constructor(store,python){
this.store=store,this.python=python,this.tuned=0,this.focused=0,this.held=!1,this.timer=0,this.sentAt=-1/0}get seq(){return SEQ_OF.
get(this.store)??0}set seq(seq){SEQ_OF.set(this.store,seq)}now(patch){this.#move(patch),this.#send()}soon(patch){this.#move(
patch);let wait=this.sentAt+OFTEN_MS-performance.now();wait<=0?this.#send():this.timer||=setTimeout(()=>this.#send(),wait)}resting(patch){
this.#move(patch),clearTimeout(this.timer),this.timer=setTimeout(()=>this.#send(),REST_MS)}hold(patch){this.#move(patch)}focus(row){
this.focused=this.seq+=1,this.store.focus(row),this.python.setStateValue("focus",{seq:this.seq,row})}hear(echo){this.seq=
Math.max(this.seq,echo??0)}isNew(echo){return!this.held&&(echo??0)>=this.tuned}drop(){clearTimeout(this.timer),this.timer=
0,this.held=!1}#move(patch){this.held=!0,this.store.tune(patch)}#send(){this.drop(),this.sentAt=performance.now(),this.tuned=
this.seq+=1;let tuning={seq:this.seq};for(let key of TUNING_KEYS){let value=this.store.live[key];value!=null&&(tuning[key]=
value)}this.python.setStateValue("tuning",tuning)}},SAMPLES2=240,HIGH2=100,Sparkline=class{constructor(){this.element=svgElement(
"svg",{class:"sparkline",viewBox:`0 0 ${SAMPLES2} ${HIGH2}`,preserveAspectRatio:"none","aria-hidden":"true"}),this.areas=
["beyond","within"].map(side=>svgElement("path",{class:`area ${side}`})),this.line=svgElement("path",{class:"curve"}),this.
element.append(...this.areas,this.line),this.drawn=null}clear(){this.drawn=null;for(let path of[...this.areas,this.line])
path.removeAttribute("d")}draw(points,curve,low,high){if(!(curve?.arrays.f_beta.length===points.header.n+1)||this.drawn===
curve)return;this.drawn=curve;let line=curveLine(points.arrays.similarity,points.header.n,curve.arrays.f_beta,low,high);
this.line.setAttribute("d",`M${line}`);for(let area of this.areas)area.setAttribute("d",`M0 ${HIGH2}L${line}L${SAMPLES2}\
 ${HIGH2}Z`)}};function curveLine(similarity,n,fBeta,low,high){let most=1e-9;for(let i=0;i<=n;i++)fBeta[i]>most&&(most=fBeta[i]);
let places=[];for(let k=0;k<=SAMPLES2;k++){let value=fBeta[splitIndex(similarity,n,low+(high-low)*k/SAMPLES2)];places.push(
`${k} ${(HIGH2-(HIGH2-8)*(value>=0?value:0)/most).toFixed(1)}`)}return places.join("L")}var REACH_PX=12,CORE_HEAD_START_PX=5,CANNOT_DRAW="This browser can't draw on a canvas.",HOW_TO_READ="Each dot is a publi\
cation; nearby dots have similar content.",WHAT_COLOURS_SAY={region:"Blue dots count as relevant.",decay:"Colours show t\
he decay left.",year:"Colours show the year of publication.",theme:"Colours show themes.",source:"Colours show the numbe\
r of query versions that retrieve each publication."},DRAG="Drag the similarity threshold to update the numbers.",KEYS="\
Arrow keys move, plus and minus zoom, 0 shows everything, Enter opens the publication nearest to the middle, Escape clea\
rs the selection.",Landscape=class extends Part{points;constructor(root,store,python){super(root,store,python),this.data=
null,this.colouredFor=null,this.aimed=this.updating=!1;let commits=new Commits(store,python);this.commits=commits,this.relevance=
new Relevance,this.numbers=new Readout,this.drawn={scape:"",min_similarity:NaN,region:"",draws:0,ms:0,at:0},this.stage=new Stage,
this.strip=new TuningStrip(store,commits),this.readout=new ReadoutLine(words=>this.#describeCanvas(words)),this.tools=new Toolbar(
store,{lasso:on=>this.#setLasso(on),home:()=>this.#home(),save:kind=>this.#save(kind),colourBy:how=>commits.now({colour_by:how}),
toggle:name=>this.#toggle(name),clear:()=>store.pick([])}),this.legend=new Legend(name=>this.#toggle(name)),this.card=new HoverCard,
this.madeUp=make("span",{class:"badge",hidden:""},"demo data"),this.caption=make("p",{class:"caption"},this.madeUp,make(
"span",{},CAPTION)),this.stage.foot=make("div",{class:"stage-foot"},this.legend.key,this.legend.element,this.caption),this.
stage.element.append(this.tools.element,this.stage.foot,this.card.element),this.stage.scene.relevance=this.relevance,this.
hand=new Hand(this.stage.lines,this.#handActions()),this.how=make("p",{class:"how-to-read"},HOW_TO_READ),root.append(this.
strip.element,this.readout.element,this.stage.element,this.how,this.readout.status);let fallback=button("Show the plain \
figure instead",()=>python.setStateValue("fallback",!0));this.stage.works||this.stage.say(CANNOT_DRAW,fallback),attribute(
root,"aria-busy","true"),store.anchor("threshold",this.readout.element),store.anchor("landscape",this.how),this.frame=oncePerFrame(
()=>this.#paint()),store.commit=(patch,{now}={now:!0})=>commits[now?"now":"soon"](patch),store.focusOn=row=>commits.focus(
row);let draw=()=>this.frame.ask();this.listen({data:()=>this.#takeData(),live:()=>this.updating?draw():this.frame.now(),
scores:draw,picked:draw,find:draw,focus:()=>this.#takeFocus(),place:()=>this.#settle(),hovered:()=>this.#takeHovered(),draft:()=>this.
readout.showDraft(!!store.draft)}),this.#settle(),this.observer=new ResizeObserver(()=>{this.stage.resize()&&this.#paint()}),
this.observer.observe(this.stage.element),root.addEventListener("transitionstart",event=>{event.propertyName==="backgrou\
nd-color"&&event.target===root&&this.#takeTheme()})}#handActions(){let{stage,card}=this,look=move=>(...how)=>{this.aimed=
!1,this.#leave(),move(...how),stage.spoil("place"),this.frame.ask()};return{pan:look((dx,dy)=>stage.camera.pan(dx,dy)),zoom:look(
(factor,px,py)=>stage.camera.zoom(factor,px,py)),home:()=>this.#home(),hover:(px,py)=>this.#hover(px,py),leave:()=>this.#leave(),
scrolled:()=>stage.sayZoom(),click:(px,py)=>this.#open(this.#rowAt(px,py)),enter:()=>this.#enter(),escape:()=>this.#clear(),
lassoMove:path=>{card.hide(),stage.drawLasso(path)},lassoEnd:path=>this.#pickInside(path)}}destroy(){super.destroy(),this.
observer.disconnect(),this.frame.stop(),clearTimeout(this.stage.hiding),this.commits.drop(),this.readout.destroy(),this.
strip.destroy(),this.tools.destroy()}#settle(){let place=this.store.places.get("tuning");place&&this.strip.moveTo(place)}#takeHovered(){
this.stage.scene.hovered=this.store.hovered,this.stage.spoil("lines"),this.frame.ask()}update(data){this.updating=!0,this.#takeUpdate(
data),this.updating=!1}#takeUpdate(data){let{store,commits}=this,otherPoints=data.dataset.points!==store.current.points;
this.data=data,data.in_sentence&&this.#splitReadout(),this.drawn.scape=data.scape,this.root.style.height=`${data.height}\
px`,commits.hear(data.echo);let isNew=otherPoints||commits.isNew(data.echo);otherPoints&&commits.drop(),isNew&&(store.live=
{...store.live,...data.tuning}),store.use(data.dataset),(otherPoints||(data.echo_focus??data.echo??0)>=commits.focused)&&
this.#followFocus(data.selected_focus),isNew&&store.tell("live"),this.#takeData()}#splitReadout(){this.readout.element.classList.
contains("sentence")||(this.readout.makeSentence(),this.readout.showDraft(!!this.store.draft),this.strip.panel.append(this.
readout.items.decay.element))}#followFocus(row){row===void 0||row===this.toldFocus||(this.toldFocus=row,row!==this.store.
focused&&this.store.focus(row))}#takeData(){let{store,stage,data}=this,{points}=store;if(!data||(this.root.classList.toggle(
"waiting",!points),!points))return;this.root.classList.add("ready"),attribute(this.root,"aria-busy",null),this.strip.describe(
points,data.marks,data.defaults),this.tools.describe(points),points!==this.points&&this.#takePoints(points);let missing=points.
header.has_landscape===!1?"There is no landscape.":null;stage.works&&stage.say(data.no_landscape??missing),stage.scene.regions!==
store.regions&&stage.spoil("lines"),Object.assign(stage.scene,{regions:store.regions,curve:store.curve}),this.#takeTheme(),
this.frame.ask()}#takePoints(points){let{stage}=this;this.points=points,this.#leave(),stage.scene.points=points,stage.camera.
frame(points.header.bounds),stage.spoil("dress","place","gather","lines"),this.readout.describe(points),show(this.madeUp,
!!points.header.made_up)}#takeTheme(){let{stage,store,root}=this,colours=roleColours(store,root);if(!colours)return;let{
fontFamily}=getComputedStyle(root);if(!(colours===stage.scene.colours&&fontFamily===stage.overlay.font)){stage.scene.colours=
colours,stage.scene.theme=isDark(root)?"dark":"light",stage.overlay.font=fontFamily;for(let box of[root,this.strip.beside])
wearColours(box,store);stage.spoil("dress","gather","lines"),store.tell("look"),this.frame.ask()}}#takeFocus(){let{stage,
store,points}=this,row=store.focused;if(stage.spoil("lines"),row!==null&&points&&row<points.arrays.x.length&&stage.works){
let{camera}=stage,[x,y]=[points.arrays.x[row],points.arrays.y[row]],[px,py]=[camera.pixelX(x),camera.pixelY(y)];camera.width&&
!(px>0&&py>0&&px<camera.width&&py<camera.height)&&(camera.centre(x,y),stage.spoil("place"))}this.frame.ask()}#paint(){let started=performance.
now(),{store,stage,relevance,numbers}=this,{points,live}=store;if(!points||points!==this.points||!live.region||!stage.scene.
colours)return;let{scene}=stage,splitBefore=relevance.split,change=relevance.follow(points,store.regions,live);numbers.follow(
relevance,store.curve,store.scores),scene.region!==live.region&&stage.spoil("lines"),scene.region=live.region,scene.picked=
store.picked,scene.typed=store.found,scene.focused=store.focused,this.#colour(),this.readout.follow(relevance,numbers,points,
live),this.strip.follow(relevance),this.tools.follow(relevance,live,this.#notice());let colourBy=scene.colouring?live.colour_by:
"region";this.legend.follow(scene,colourBy),this.#sayHow(colourBy),stage.message.hidden&&stage.draw(change,splitBefore),
this.#record(started)}#notice(){let{region}=this.store.live,why=region==="cosine"?null:this.store.regions?.header.undefined?.[region];
return why?`${this.points.header.kinds.find(({kind})=>kind===region)?.label??region} is undefined: ${why}`:this.data.focus_missing}#sayHow(colourBy){
let says=this.stage.message.hidden?[HOW_TO_READ,WHAT_COLOURS_SAY[colourBy]]:[];this.store.live.region==="cosine"&&says.push(
DRAG),write(this.how,says.join(" ")),attribute(this.how,"title",says.join(" "))}#colour(){let{stage,store}=this,{scene}=stage,
how=store.live.colour_by??"region",curve=how==="decay"?store.curve:null,needs=[how,scene.points,curve,scene.colours];this.
colouredFor?.every((need,i)=>need===needs[i])||(this.colouredFor=needs,scene.colouring=colouringOf(how,scene),stage.spoil(
"gather"))}#record(started){let{drawn,store}=this;drawn.min_similarity=store.live.min_similarity,drawn.region=store.live.
region,drawn.draws++,drawn.at=performance.now(),drawn.ms=drawn.at-started,globalThis.queryscapeDrawn=drawn}#describeCanvas(words){
let{topic,version}=this.points.header;attribute(this.stage.lines,"aria-label",`Landscape of ${topic}, ${version}: ${words}\
. ${KEYS}`)}#rowAt(px,py){let{points,stage}=this;if(!points||!stage.message.hidden)return-1;let{camera}=stage,unit=1/camera.
scale,{core}=points.arrays,headStart=row=>core[row]?CORE_HEAD_START_PX*unit:0;return gridOf(points).nearest(camera.placeX(
px),camera.placeY(py),REACH_PX*unit,headStart)}#hover(px,py){let{stage,card,store}=this,row=this.#rowAt(px,py);return stage.
drawRing(row),row<0?card.hide():card.show(row,px,py,stage.camera.width,stage.camera.height,stage.scene,store.live)}#leave(){
this.card.hide(),this.stage.drawRing(-1)}#open(row){row>=0&&this.store.focusOn(row)}#enter(){let{camera}=this.stage,{focused}=this.
store;if(this.aimed&&focused!==null)return this.#open(focused);if(this.aimed=!0,!this.points)return;let reach=Math.max(camera.
width,camera.height)/camera.scale;return this.#open(gridOf(this.points).nearest(camera.cx,camera.cy,reach))}#clear(){this.#setLasso(
!1),this.store.picked.length&&this.store.pick([])}#setLasso(on){this.hand.lassoing=on,this.tools.setLasso(on),this.stage.
lines.classList.toggle("lassoing",on)}#pickInside(path){if(this.stage.drawLasso(null),!path)return;let{camera}=this.stage,
polygon=path.map((at,i)=>i%2?camera.placeY(at):camera.placeX(at));this.store.pick(gridOf(this.points).inside(polygon)),this.#setLasso(
!1)}#home(){this.stage.camera.home(),this.stage.spoil("place"),this.#leave(),this.frame.ask()}#toggle(name){let{scene}=this.
stage;scene.show={...scene.show,[name]:!scene.show[name]},this.stage.spoil("dress","gather","lines"),this.store.tell("lo\
ok"),this.frame.ask()}async#save(kind){let{stage,store,points}=this;if(!points||!stage.message.hidden)return;let name=fileName(
points.header.topic,points.header.version,"landscape"),font=stage.overlay.font;kind==="PNG"?saveFile(await pngOf(stage.scene,
store.live,font),"image/png",`${name}.png`):saveFile(svgOf(stage.scene,stage.splat,store.live,font),"image/svg+xml",`${name}\
.svg`)}};var CELLS2=[["n_found","Core found","Core publications retrieved, of all in the topic."],["n_retrieved","Retrieved","Pub\
lications retrieved."],["semantic_precision","Semantic precision",""],["f_beta","F",""]],COUNTS=new Set(["n_found","n_re\
trieved"]),FILTERS2={n_found:"core",n_retrieved:"all"},Strip=class{constructor({choose,list,unfold}){this.list=list,this.
cells=Object.fromEntries(CELLS2.map(([key,label,help])=>[key,this.#cell(key,label,help)])),this.numbers=make("dl",{class:"\
numbers"},...Object.values(this.cells).map(({element})=>element)),this.region=make("select",{class:"field","aria-label":"\
Measured by","data-testid":"measured-by"}),this.region.addEventListener("change",()=>choose(this.region.value)),this.measured=
make("label",{class:"measured"},make("span",{},"Measured by"),this.region),this.more=button("All regions",unfold,{kind:"\
quiet","aria-expanded":"false","aria-controls":"regions"}),this.note=make("p",{class:"draft-note"});let side=make("div",
{class:"side"},this.measured,this.more,this.note);this.element=make("section",{class:"strip","aria-label":"What it retri\
eves","data-testid":"strip"},this.numbers,side),this.draft=null}#cell(key,label,help){let cell=numberCell(label,help);if(!COUNTS.
has(key))return cell;let value=button("",()=>this.#list(key),{kind:"value lists",title:"List them"});return cell.value.replaceWith(
value),{...cell,value}}#list(key){this.draft?this.draft.list(key):this.list(FILTERS2[key])}drawVersion({recall,n_retrieved:retrieved,
beta,regions},region,numbers,{live,texts,before}){this.draft=null;let isDefined=region.status==="ok"&&!region.pending,why=isDefined?
"":`Undefined: ${region.pending??region.status}.`,was=before?.region===region.kind&&!live?before:null,{n_found:found,n_core:core,
value,low,high}=recall,known=name=>isDefined?numbers[name]:null;this.#fill("n_found",found,{of:core,at:value,ends:[low,high],
title:`Core recall ${significant(value)}, 95 % interval ${interval(low,high)}.`}),this.#fill("n_retrieved",retrieved,{});
for(let name of["semantic_precision","f_beta"]){let ends=live?null:region[`${name}_range`],moves=ends?`Between ${interval(
...ends)} as the core set varies.`:"";this.#fill(name,known(name),{at:known(name),ends,was:was?.[name],title:[texts[name],
moves,why].filter(Boolean).join(" ")})}this.element.classList.toggle("degenerate",isDefined&&!!region.degenerate&&!live),
this.#name(beta,was?`since ${was.label}`:""),setOptions(this.region,regions.map(({kind,label})=>[kind,label])),this.region.
value=region.kind,show(this.measured,!0),write(this.note,"")}drawDraft(draft,{beta,texts}){this.draft=draft;let{summary,
before}=draft,{n_found:found,n_core:core,recall,recall_interval:ends}=summary;this.#fill("n_found",found,{of:core,at:recall,
ends,was:before.n_found}),this.#fill("n_retrieved",summary.n_retrieved,{of:summary.n_corpus,was:before.n_retrieved});let why=summary.
undefined?`Undefined: ${summary.undefined}.`:"";for(let name of["semantic_precision","f_beta"])this.#fill(name,summary[name],
{at:summary[name],was:before[name],title:[texts[name],why].filter(Boolean).join(" ")});this.element.classList.remove("de\
generate"),this.#name(beta,"since the open version"),show(this.measured,!1),write(this.note,draft.n_errors?`Not run yet:\
 measured by cosine, in spite of ${countOf(draft.n_errors,"problem")}`:"Not run yet: measured by cosine")}#name(beta,since){
write(this.cells.f_beta.term,`F${betaIndex(beta)}`);for(let{change}of Object.values(this.cells))attribute(change,"title",
change.textContent?`Change ${since}`:null)}#fill(key,number,{of=null,at=null,ends=null,was=void 0,title=""}){let cell=this.
cells[key],isCount=COUNTS.has(key);write(cell.value,typeof number=="number"?(isCount?count:significant)(number):"–"),isCount&&
attribute(cell.value,"aria-disabled",number>0?null:"true"),write(cell.of,of===null?"":`of ${count(of)}`),write(cell.change,
changeSince(was,number,isCount?signedCount:signedScore)),show(cell.whisker.element,at!==null||!!ends),cell.whisker.set(at,
ends),attribute(cell.element,"title",[cell.help,title].filter(Boolean).join(" ")||null)}};var DRAFTED="data-draft",STEPS={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1},Scores=class extends Part{constructor(root,store,python){
super(root,store,python),this.cards=new Map,this.data=null,this.open=!1,this.recall=new RecallCard,this.choice=make("div",
{class:"regions",role:"radiogroup","aria-label":"Region"}),this.choice.addEventListener("keydown",event=>this.key(event)),
this.choice.addEventListener("click",event=>this.choose(hit(event,".card")?.dataset.kind));for(let event of["pointerover",
"focusin"])this.choice.addEventListener(event,moved=>store.hover(hit(moved,".card")?.dataset.kind??null));for(let event of[
"pointerleave","focusout"])this.choice.addEventListener(event,()=>store.hover(null));this.cardRow=make("div",{class:"car\
ds",id:"regions"},this.recall.element,this.choice),this.strip=new Strip({choose:kind=>this.choose(kind),list:filter=>this.#list(
filter),unfold:()=>this.#showAll()}),this.showsAll=!1,this.cardRow.addEventListener("click",event=>this.#list(hit(event,
"[data-filter]")?.dataset.filter)),this.warning=make("span",{class:"warning-text"}),this.more=button("",()=>this.#unfold(),
{kind:"link","aria-controls":"warnings"});let icon=make("span",{class:"warning-icon","aria-hidden":"true"});this.warningLine=
make("span",{class:"warning"},icon,this.warning,this.more),this.unscorable=make("span",{class:"unscorable"}),this.others=
make("ul",{class:"warnings",id:"warnings",hidden:""}),this.notes=make("div",{class:"notes"},this.warningLine,this.unscorable),
root.append(this.strip.element,this.cardRow,make("div",{role:"status"},this.notes,this.others)),this.frame=oncePerFrame(
()=>this.draw());let wear=()=>wearColours(root,store);this.listen({live:()=>this.frame.ask(),draft:()=>this.draw(),data:()=>{
wear(),this.frame.ask()},look:wear})}#list(filter){filter&&this.store.list(filter)}#showAll(){this.showsAll=!this.showsAll,
this.draw()}#unfold(){this.open=!this.open,this.drawNotes()}update(data){this.data=data,this.store.scores=data,wearColours(
this.root,this.store),attribute(this.root,"data-echo",data.echo),this.arrange(),this.draw(),this.drawNotes(),this.store.
tell("scores")}destroy(){super.destroy(),document.body.removeAttribute(DRAFTED),this.frame.stop()}arrange(){let kinds=this.
data.regions.map(({kind})=>kind);for(let[kind,card]of this.cards)kinds.includes(kind)||(card.element.remove(),this.cards.
delete(kind));kinds.forEach((kind,at)=>{let{element}=this.#cardOf(kind);this.choice.children[at]!==element&&this.choice.
insertBefore(element,this.choice.children[at]??null)}),this.cardRow.style.setProperty("--n",String(kinds.length))}#cardOf(kind){
let card=this.cards.get(kind)??new RegionCard(kind);return this.cards.set(kind,card),card}draw(){if(!this.data)return;let{
beta,regions}=this.data,{texts={},labels={}}=this.store.points?.header??{};this.recall.update({...this.data,texts,labels});
let chosen=this.chosen();for(let region of regions){let card=this.#cardOf(region.kind),live=region.kind==="cosine"?this.
underTheHand(region):null,coverage=region.kind==="cosine"?this.data.coverage:"";card.update(region,live??region,{beta,texts,
labels,coverage,live:live!==null}),attribute(card.element,"aria-checked",region.kind===chosen),attribute(card.element,"t\
abindex",region.kind===chosen?0:-1)}document.body.toggleAttribute(DRAFTED,!!this.store.draft),this.#drawStrip(regions.find(
({kind})=>kind===chosen),texts)}#drawStrip(region,texts){let{strip,store,data}=this;if(show(strip.element,!!data.in_strip),
show(this.cardRow,!data.in_strip||this.showsAll),attribute(strip.more,"aria-expanded",this.showsAll),!data.in_strip)return;
let live=region.kind==="cosine"?this.underTheHand(region):null;store.draft?strip.drawDraft(store.draft,{beta:data.beta,texts}):
strip.drawVersion(data,region,live??region,{live:live!==null,texts,before:store.before})}chosen(){return this.cards.has(
this.store.live.region)?this.store.live.region:this.data.regions[0]?.kind}underTheHand(region){let{points,curve,live}=this.
store;if(live.region!=="cosine"||region.status!=="ok"||region.pending||!points||!curve||live.min_similarity===void 0)return null;
let{n}=points.header;if(n!==this.data.n_scorable||curve.arrays.f_beta.length!==n+1)return null;let split=splitIndex(points.
arrays.similarity,n,live.min_similarity);return n-split===region.n_relevant?null:{n_relevant:n-split,semantic_precision:points.
arrays.semantic_precision[split],decay:curve.arrays.decay[split],f_beta:curve.arrays.f_beta[split]}}choose(kind){!kind||
!this.cards.has(kind)||kind!==this.chosen()&&this.store.commit({region:kind})}key(event){let kinds=[...this.cards.keys()].
filter(kind=>this.data.regions.some(region=>region.kind===kind)),at=kinds.indexOf(hit(event,".card")?.dataset.kind??"");
if(at<0)return;let next={Home:0,End:kinds.length-1," ":at,Enter:at}[event.key]??(event.key in STEPS?(at+STEPS[event.key]+
kinds.length)%kinds.length:null);next!==null&&(event.preventDefault(),this.choose(kinds[next]),this.#cardOf(kinds[next]).
element.focus())}drawNotes(){let{warnings,n_unscorable:nUnscorable}=this.data,[first,...others]=warnings;for(show(this.warningLine,
warnings.length>0),write(this.warning,first??""),attribute(this.warning,"title",first??null),show(this.more,others.length>
0),write(this.more,this.open?"fewer":`${count(others.length)} more`),attribute(this.more,"aria-expanded",this.open),show(
this.others,this.open&&others.length>0);this.others.children.length>others.length;)this.others.lastChild?.remove();for(;this.
others.children.length<others.length;)this.others.append(make("li"));others.forEach((text,at)=>write(this.others.children[at],
text)),show(this.notes,warnings.length>0||nUnscorable>0),write(this.unscorable,nUnscorable?`${count(nUnscorable)} withou\
t a vector`:"");let words=`${countOf(nUnscorable,"retrieved publication")} without a vector: no region counts them.`;attribute(
this.unscorable,"title",nUnscorable?words:null)}},LISTS="Click to list them in the table.",READ_PER_CORE="Retrieved publ\
ications to read for each core publication found.",Card=class{constructor(attributes){this.label=make("span",{class:"lab\
el"}),this.value=make("span",{class:"value"}),this.whisker=new Whisker,this.first=make("div",{class:"small"}),this.second=
make("div",{class:"small"}),this.words=make("span",{class:"unseen"}),this.head=make("div",{class:"head"},this.label),this.
main=make("div",{class:"main"},this.value),this.element=make("div",{class:"card",...attributes}),this.element.append(this.
head,this.main,this.whisker.element,this.first,this.second,this.words)}line(target,parts){for(;target.children.length>parts.
length;)target.lastChild.remove();for(;target.children.length<parts.length;)target.append(make("span"));parts.forEach(([
text,definition,filter],at)=>{write(target.children[at],text),attribute(target.children[at],"title",[definition,filter&&
LISTS].filter(Boolean).join(" ")||null),attribute(target.children[at],"data-filter",filter)})}describe(id,text){this.words.
id=id,write(this.words,text),attribute(this.element,"aria-describedby",id)}},RecallCard=class extends Card{constructor(){
super({class:"card recall",role:"group",tabindex:0,"data-testid":"recall-card"})}update({recall,texts,labels}){let{value,
low,high,n_found:nFound,n_core:nCore,attainable,read_per_core:readPerCore}=recall,ends=`95 % interval (Wilson): ${interval(
low,high)}.`,definition=`${texts.recall??""} ${ends}`.trim();write(this.label,labels.recall??"Core recall"),write(this.value,
significant(value)),this.head.title=this.main.title=this.whisker.element.title=definition,this.whisker.set(value,[low,high]);
let found=[[`${count(nFound)} of ${count(nCore)} core found`,definition,"core"]];attainable!=null&&significant(attainable)!==
significant(value)&&found.push([`attainable ${significant(attainable)}`,texts.attainable_recall]),this.line(this.first,found);
let read=readPerCore==null?[]:[[`read ${significant(readPerCore)} publications per core found`,texts.read_per_core??READ_PER_CORE]];
this.line(this.second,read),attribute(this.element,"aria-label",`${this.label.textContent} ${significant(value)}`);let rest=[
...found,...read].map(([text])=>text).join(", ");this.describe("recall-words",`${definition} ${rest}. ${found[1]?.[1]??""}`)}},
RegionCard=class extends Card{constructor(kind){super({role:"radio","aria-checked":"false",tabindex:-1,"data-testid":`re\
gion-${kind}`,"data-kind":kind}),this.kind=kind,this.beta=make("sub",{}),this.name=make("span",{class:"beta"},"F",this.beta),
this.waiting=make("span",{class:"waiting",hidden:""}),this.main.append(this.name,this.waiting),this.head.append(make("sp\
an",{class:"live-dot",title:"Follows the similarity threshold as it moves"}))}update(region,numbers,{beta,texts,labels,coverage,
live}){let isDefined=region.status==="ok"&&!region.pending,range=live?null:region.f_beta_range;this.element.classList.toggle(
"live",live),this.element.classList.toggle("degenerate",isDefined&&!!region.degenerate&&!live),this.element.classList.toggle(
"undefined",!isDefined),write(this.label,region.label),this.head.title=[region.label,live?"":region.defines].filter(Boolean).
join(": "),write(this.beta,betaIndex(beta)),show(this.value,!region.pending),show(this.name,isDefined),show(this.waiting,
!!region.pending),write(this.waiting,region.pending??""),write(this.value,isDefined?significant(numbers.f_beta):"–"),this.
main.title=this.whisker.element.title=this.definition(region,texts,range,coverage),this.whisker.set(isDefined?numbers.f_beta:
null,range),this.small(region,numbers,{isDefined,live,texts,labels});let value=region.pending??(isDefined?`F${betaIndex(
beta)} ${significant(numbers.f_beta)}`:region.status);attribute(this.element,"aria-label",`${region.label}: ${value}`)}definition(region,texts,range,coverage){
let moves=range&&`Between ${interval(...range)} as the core set varies.`,degenerate=region.degenerate&&`Degenerate: ${region.
degenerate}.`;return[texts.f_beta,moves,moves&&coverage,degenerate].filter(Boolean).join(" ")}small(region,numbers,{isDefined,
live,texts,labels}){let relevant=[countOf(numbers.n_relevant,"relevant","relevant"),relevantWords(region,live),"relevant"],
decay=[`decay ${significant(numbers.decay)}`,texts.decay],range=live?null:region.semantic_precision_range,moves=range?` \
Between ${interval(...range)} as the core set varies.`:"",name=(labels.semantic_precision??"Semantic precision").toLowerCase(),
definition=`${texts.semantic_precision??""}${moves}`,precision=[`${name} ${significant(numbers.semantic_precision)}`,definition],
reason=region.pending?"":region.status,degenerate=!live&&region.degenerate;this.first.classList.toggle("reason",!isDefined||
!!degenerate),this.second.hidden=!isDefined,isDefined?degenerate?this.line(this.first,[[region.degenerate,`Degenerate: ${region.
degenerate}.`]]):this.line(this.first,[relevant,decay]):this.line(this.first,[[reason,reason]]),this.line(this.second,degenerate?
[relevant,decay]:[precision]);let parts=isDefined?[relevant,precision,decay].map(([text,words])=>`${text}: ${words??""}`):
[],sentences=[live?"":region.defines&&`${region.defines}.`,texts.f_beta,...parts,degenerate];this.describe(`words-${region.
kind}`,sentences.filter(Boolean).join(" "))}};function relevantWords({label,n_accepted:nAccepted,core_accepted:coreAccepted,
defines},live){if(live)return`Retrieved publications that the region “${label}” accepts.`;let accepted=typeof nAccepted==
"number"&&typeof coreAccepted=="number"?` Core accepted: ${significant(coreAccepted)} (${countOf(nAccepted,"core publica\
tion")}).`:"";return`Retrieved publications that the region “${label}” accepts${defines?` (${defines})`:""}.${accepted}`}var CHIPS={all:"All",relevant:"Relevant in this region",core:"Core found",picked:"Picked",missed:"Core missed"},Table=class extends Part{points;constructor(root,store,python){
super(root,store,python),this.data=null,this.n=this.total=0,this.titles=this.dois=new Titles(new Uint8Array(0)),this.filter=
"all",this.typed="",this.verdicts=new Map,this.lastFocused=null,this.ordered={name:"",rows:new Uint32Array(0)},this.picked=
null,this.found=null,this.view=new Uint32Array(0),this.picksHere=this.pickedOnLandscape=!1,this.relevance=new Relevance,
this.sort={key:"rank",descending:!1},this.grid=new Grid("Retrieved publications",{onOpen:row=>store.focusOn(row),dress:(line,row)=>this.
dress(line,row),onMark:row=>this.pickHere(row),onSort:key=>this.sortBy(key)}),this.search=make("input",{type:"search",class:"\
field",placeholder:"Search titles, years, DOIs",autocomplete:"off",spellcheck:"false","aria-label":"Search the table by \
title, year or DOI"}),this.search.addEventListener("input",()=>this.searchFor(this.search.value)),this.search.addEventListener(
"keydown",event=>event.stopPropagation()),this.chips=Object.fromEntries(FILTERS.map(filter=>[filter,this.chip(filter)])),
this.download=button("Download CSV",()=>this.save());let chips=make("div",{class:"chips",role:"group","aria-label":"Rows\
 to show"},...Object.values(this.chips));this.empty=make("p",{class:"empty",hidden:""});let body=make("div",{class:"grid\
-frame","data-testid":"retrieved-table"},this.grid.element,this.empty);this.shown=make("span",{class:"shown",role:"statu\
s"}),this.pickedText=make("span",{});let clear=button("Clear",()=>store.pick([]),{kind:"link"});this.pickedNote=make("sp\
an",{class:"picked-note",hidden:""},this.pickedText,clear),this.reveal=button("Show the open record in the table",()=>this.
showFocused(),{kind:"link",hidden:""}),this.beyond=make("span",{class:"beyond"});let foot=make("div",{class:"foot"},this.
shown,this.pickedNote,this.reveal,this.beyond);root.append(make("div",{class:"bar"},this.search,chips,this.download),body,
foot),attribute(root,"aria-busy","true"),this.frame=oncePerFrame(()=>this.takeLive()),this.listen({data:()=>this.takeData(),
live:()=>this.frame.ask(),look:()=>this.takeLook(),picked:()=>this.takePicked(),focus:()=>this.takeFocus(),list:()=>this.
takeList()}),store.anchor("table",root)}chip(filter){let chip=button("",()=>this.filterBy(filter),{kind:"chip","aria-pre\
ssed":"false","data-filter":filter});return chip.append(make("span",{},CHIPS[filter]),make("span",{class:"number"})),chip}update(data){
this.data=data,this.takeData()}destroy(){super.destroy(),this.frame.stop(),this.grid.destroy()}takeData(){let{points}=this.
store;wearColours(this.root,this.store),attribute(this.root,"aria-busy",points?null:"true"),points&&points!==this.points&&
this.takePoints(points),points&&(this.ordered.name="",this.verdicts.clear(),this.grid.setColumns(columnsFor(points,this)),
this.grid.setSort(this.sort.key,this.sort.descending),this.refresh(),this.takeFocus())}takePoints(points){this.points=points,
this.n=points.header.n,this.total=this.n+points.header.n_missed,this.titles=titlesOf(points),this.dois=new Titles(points.
arrays.dois),this.picked=marksOf(this.store.picked,this.total),this.found=this.foundFor(this.typed),this.filter==="picke\
d"&&!this.picked&&(this.filter="all")}takeLook(){wearColours(this.root,this.store),this.frame.ask()}takeLive(){if(this.points){
if(this.filter==="relevant"||this.sort.key.startsWith("relevant:")){this.refresh();return}this.followRegion(),this.grid.
refresh(),this.tellChips()}}followRegion(){this.verdicts.clear(),this.relevance.follow(this.points,this.store.regions,this.
store.live)}titleOf(row){return this.titles.title(row)}isRetracted(row){return retractedOf(this.points).has(row)}doiOf(row){
return this.dois.title(row)}isPicked(row){return this.picked!==null&&this.picked[row]===1}undefinedReason(kind){return this.
store.regions?.header.undefined?.[kind]??null}verdict(kind){return this.verdicts.has(kind)||this.verdicts.set(kind,this.
verdictNow(kind)),this.verdicts.get(kind)}verdictNow(kind){if(kind==="cosine"){let split=this.split();return split===null||
this.undefinedReason(kind)?null:row=>row>=split}let mask=this.store.regions?.arrays[`mask_${kind}`];return mask?row=>bitAt(
mask,row)===1:null}split(){let{min_similarity:minSimilarity}=this.store.live;return minSimilarity===void 0?null:splitIndex(
this.points.arrays.similarity,this.n,minSimilarity)}get region(){return this.points.header.kinds.find(({kind})=>kind===this.
store.live.region)??this.points.header.kinds[0]}refresh(){if(!this.points)return;this.followRegion();let{core}=this.points.
arrays,{filter,n,picked,found,relevance}=this,isRelevant=row=>relevance.has(row);this.view=shownRows(this.order(),{filter,
n,core,isRelevant,picked,found}),this.grid.setView(this.view),this.tellChips(),this.tellFoot()}order(){let{key,descending}=this.
sort,split=key==="relevant:cosine"?this.split():"",name=`${key} ${descending} ${split}`;if(this.ordered.name!==name){let{
sortKey}=this.grid.columns.find(column=>column.key===key);this.ordered={name,rows:sortedRows(this.total,this.n,sortKey,descending)}}
return this.ordered.rows}tellChips(){let{rows}=countsOf(this.points),numbers={all:this.n,relevant:this.relevance.nRelevant,
core:rows.found.length,picked:this.store.picked.length,missed:this.total-this.n};for(let[filter,chip]of Object.entries(this.
chips))attribute(chip,"aria-pressed",filter===this.filter),write(chip.lastChild,count(numbers[filter]));attribute(this.chips.
relevant,"title",`Region: ${this.region.label}`),attribute(this.chips.picked,"disabled",numbers.picked===0&&this.filter!==
"picked")}tellFoot(){let{store,view,filter}=this,missed=filter==="missed",all=missed?this.total-this.n:this.n;write(this.
shown,`${count(view.length)} of ${count(all)}${missed?" missed core publications":""} shown`);let n=store.picked.length;
write(this.pickedText,`${count(n)} picked${this.pickedOnLandscape?" on the landscape":""}`),show(this.pickedNote,n>0),show(
this.reveal,store.focused!==null&&!view.includes(store.focused)),write(this.beyond,missed?this.missedBeyond():this.unranked()),
show(this.empty,view.length===0),view.length===0&&write(this.empty,this.emptyWords()),attribute(this.download,"disabled",
view.length===0)}unranked(){let n=this.data?.n_without_vector??0;return n?`${count(n)} more ${n===1?"has":"have"} no vec\
tor and can't be ranked`:""}missedBeyond(){let{recall}=this.store.scores??{},n=recall?recall.n_core-recall.n_found-(this.
total-this.n):0;return n>0?`${count(n)} more ${n===1?"has":"have"} no vector`:""}emptyWords(){let{filter,n,typed,region}=this;
if(filter==="picked"&&!this.picked)return"Nothing is picked. Draw around dots on the landscape, or tick rows here.";if(this.
found)return`No title, year or DOI here matches “${typed.trim()}”.`;if(filter==="missed")return"Every core publicati\
on with a vector was found.";if(n===0)return"This query retrieved no publication with a vector.";if(filter==="core")return"\
The query found no core publication with a vector.";let{reason}=this.relevance;return reason?`${region.label} is not def\
ined: ${reason}.`:`${region.label} accepts no publication as relevant.`}sortBy(key){let column=this.grid.columns.find(candidate=>candidate.
key===key),again=this.sort.key===key;this.sort={key,descending:again?!this.sort.descending:column.descendingFirst},this.
grid.setSort(key,this.sort.descending),this.refresh()}filterBy(filter){this.filter=filter,this.grid.element.scrollTop=0,
this.refresh()}searchFor(typed){this.typed=typed,this.points&&(this.found=this.foundFor(typed),this.grid.element.scrollTop=
0,this.refresh())}foundFor(typed){let{titles,dois,total}=this;return foundRows(typed,{titles,dois,year:this.points.arrays.
year},total)}pickHere(row){this.picksHere=!0,this.store.pick(toggled(this.store.picked,row)),this.picksHere=!1}takePicked(){
if(!this.points)return;let{picked}=this.store;this.picked=marksOf(picked,this.total),this.pickedOnLandscape=picked.length>
0&&!this.picksHere,this.pickedOnLandscape?(this.#clearSearch(),this.filterBy("picked")):!picked.length&&this.filter==="p\
icked"?this.filterBy("all"):this.refresh()}takeFocus(){if(!this.points)return;let{focused}=this.store;focused!==null&&focused!==
this.lastFocused&&this.grid.reveal(focused),this.lastFocused=focused,this.grid.refresh(),this.tellFoot()}takeList(){this.
points&&(this.#clearSearch(),this.filterBy(this.store.listed),this.root.scrollIntoView({block:"nearest"}))}#clearSearch(){
this.search.value=this.typed="",this.found=null}showFocused(){this.#clearSearch();let{focused}=this.store;focused!==null&&
(this.filterBy(focused<this.n?"all":"missed"),this.grid.reveal(focused),this.grid.element.focus({preventScroll:!0}))}dress(line,row){
let focused=row===this.store.focused;line.classList.toggle("focused",focused),attribute(line,"aria-current",focused?"tru\
e":null),attribute(line,"aria-selected",this.isPicked(row))}save(){let columns=[...this.grid.columns.filter(({value})=>value),
retractedColumn(this)],rows=Array.from(this.view,row=>columns.map(column=>column.value(row))),{topic,version}=this.points.
header,text=csvOf([columns.map(({label})=>label),...rows]);saveFile(`\uFEFF${text}`,"text/csv;charset=utf-8",`${fileName(
topic,version,this.filter)}.csv`)}};var INVITATION="Select a dot or a row to see which publication it is.",OpenedPublication=class extends Part{points;relevance=new Relevance;dois=new Titles(
new Uint8Array(0));constructor(root,store,python){super(root,store,python),this.hint=make("p",{class:"hint"},INVITATION),
this.title=make("p",{class:"opened-title"}),this.facts=make("span",{}),this.doi=make("a",{target:"_blank",rel:"noopener \
noreferrer"}),this.accepts=make("p",{class:"opened-regions"});let close=button("×",()=>store.focusOn(null),{kind:"close",
"aria-label":"Close the publication"}),line=make("p",{class:"opened-facts"},this.facts,this.doi);this.card=make("div",{class:"\
opened-card","data-testid":"opened",hidden:""}),this.card.append(close,this.title,line,this.accepts),root.append(make("d\
iv",{role:"status"},this.hint,this.card));let draw=()=>this.draw();this.listen({focus:draw,live:draw,data:draw,look:()=>wearColours(
root,store)})}update(){wearColours(this.root,this.store),this.draw()}draw(){let{points,focused:row}=this.store;if(show(this.
hint,row===null),show(this.card,row!==null),row===null||!points)return;points!==this.points&&(this.points=points,this.dois=
new Titles(points.arrays.dois)),this.relevance.follow(points,this.store.regions,this.store.live);let doi=this.dois.title(
row),address=doiAddress(doi);write(this.title,titlesOf(points).title(row)||"No title"),write(this.facts,factsOf(row,points,
this.relevance).join(" · ")),attribute(this.doi,"href",address),write(this.doi,address?doi:""),write(this.accepts,this.
regionsOf(row))}regionsOf(row){let{header}=this.points;if(row>=header.n)return"The query did not retrieve it, so no regi\
on decides about it.";let labels={true:[],false:[]};for(let{kind,label}of header.kinds){let verdict=this.verdict(kind,row);
verdict!==null&&labels[verdict].push(label)}let parts=[];labels.true.length&&parts.push(`accepted by ${labels.true.join(
", ")}`),labels.false.length&&parts.push(`left out by ${labels.false.join(", ")}`);let words=parts.join("; ")||"no regio\
n is defined";return`${words[0].toUpperCase()}${words.slice(1)}.`}verdict(kind,row){if(kind==="cosine"){let threshold=this.
store.live.min_similarity;return Number.isFinite(threshold)?this.points.arrays.similarity[row]>=threshold-1e-6:null}let mask=this.
store.regions?.arrays[`mask_${kind}`];return mask?bitAt(mask,row)===1:null}},PAYLOADS=["points","curve","regions"],NEAR="\
900px",NO_SERVER={setStateValue(){},setTriggerValue(){}},REPORT_PARTS=[["scores alone",Scores],["landscape alone",Landscape],
["opened",OpenedPublication],["table",Table]];function canDraw(){return!!(globalThis.DecompressionStream&&globalThis.IntersectionObserver&&
globalThis.ResizeObserver&&document.createElement("canvas").getContext("2d")&&CSSStyleSheet.prototype.replaceSync)}function pageText(name,kind){
return Array.from(document.querySelectorAll(`script[data-kind="${kind}"]`)).find(block=>block.getAttribute("data-of")===
name)?.textContent??""}async function inflated(text){let packed=Uint8Array.from(atob(text.trim()),sign=>sign.charCodeAt(
0)),stream=new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));return new Uint8Array(await new Response(
stream).arrayBuffer())}async function enliven(figure){let name=figure.dataset.live,documents=JSON.parse(pageText(name,"d\
ocument")),payloads=await Promise.all(PAYLOADS.map(async kind=>unpack(await inflated(pageText(name,kind))))),store=storeNamed(
name);for(let payload of payloads)store.put(payload);let place=make("div",{class:"live"});figure.querySelector(".still").
after(place),figure.classList.add("drawn");for(let[part,Made]of REPORT_PARTS)mountAlone(place,part,root=>new Made(root,store,
NO_SERVER),documents)}function mountAlone(place,part,create,documents){let host=make("div",{class:`part ${part}`});place.
append(host);let shadow=host.attachShadow({mode:"open"});shadow.adoptedStyleSheets=[styleSheet()];let root=make("div",{class:`\
queryscape ${part}`});shadow.append(root),create(root).update(documents[part.split(" ")[0]]??{})}function watchFigures(figures){
let watcher=new IntersectionObserver(entries=>{for(let{isIntersecting,target}of entries)isIntersecting&&(watcher.unobserve(
target),enliven(target).catch(error=>console.warn("The landscape could not be drawn:",error)))},{rootMargin:NEAR});for(let figure of figures)
watcher.observe(figure)}globalThis.document&&canDraw()&&watchFigures(document.querySelectorAll("[data-live]"));

Reveal.initialize({ hash: true, transition: 'none', backgroundTransition: 'none' });

document.querySelector('#dark').onclick = () => {
  Reveal.getCurrentSlide().dataset.backgroundColor = '#1c1917';
  Reveal.sync();
};
